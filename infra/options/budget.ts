import type { Context } from '../context.ts';

/** A month's budget in dollars, and the address that hears when it is used up. */
export type Budget = { readonly dollars: number; readonly email: string };

/** Reads `-c monthlyBudget=USD`, which needs `-c alarmEmail`: a budget that nobody hears of is none. */
export const budgetOf = (context: Context): Budget | undefined => {
  const dollars = context.whole('monthlyBudget', { least: 1, most: 1_000_000 });
  const email = context.text('alarmEmail');
  if (dollars === undefined) return undefined;
  if (email === undefined) throw new Error('-c monthlyBudget mails to -c alarmEmail; set that too.');
  return { dollars, email };
};
