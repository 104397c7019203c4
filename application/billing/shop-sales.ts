import type { Permit } from '../../domain/access/permit.ts';
import { daysIn, reportOf } from '../../domain/billing/sales-sums.ts';
import { DUE, type DueState, isDue } from '../../domain/billing/subscription-due.ts';
import { subscriptionStanding } from '../../domain/billing/subscription-standing.ts';
import { transactionsOf } from '../../domain/billing/transactions.ts';
import { zoneOf } from '../../domain/catalog/catalog.ts';
import type { Subscription } from '../../domain/licensing/subscription.ts';
import { addDays, DAY_MS, dayOf, type Instant, millis } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { fittingIn, isBehind, placeOf } from '../../domain/shared/paging.ts';
import type { CountedOrder, SumsFaults } from '../../ports/outbound/billing.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { emailsOf } from '../accounts/accounts.ts';
import type { ListedSubscription } from './shop-orders.ts';

/** The days of a report: how many it has if none are named, and at most. */
const [USUAL_DAYS, MOST_DAYS] = [30, 366];

const midnight = (day: string): Instant => `${day}T00:00:00.000Z`;

/** The days of a report in the shop’s time zone; without them the last thirty, or as many as `days`. */
export type ReportDays = { readonly from: string | null; readonly to: string | null; readonly days?: number | null };

/** The days of a report, in the shop's time zone. */
const daysOf = async ({ catalogs, clock }: Needs<'catalogs' | 'clock'>, input: ReportDays) => {
  const time_zone = zoneOf((await catalogs.current()).storefront);
  const to = input.to ?? daysIn(time_zone)(clock.now());
  const from = input.from ?? dayOf(addDays(midnight(to), 1 - (input.days ?? USUAL_DAYS)));
  const days = (millis(midnight(to)) - millis(midnight(from))) / DAY_MS + 1;
  return days >= 1 && days <= MOST_DAYS
    ? ok({ from, to, time_zone })
    : refuse('stretch_invalid', { message: `Name 1 to ${MOST_DAYS} days; ${from} to ${to} are ${days}.` });
};

/**
 * The sums of the shop's sales from one day to another. It reads the sums of those days and no orders. `is_complete`
 * is false while an older store's orders are still being counted.
 */
export const showSums = ({ shopSales, catalogs, clock }: Needs<'catalogs' | 'clock' | 'shopSales'>) =>
  async function showSums(input: Required<ReportDays>) {
    const asked = await daysOf({ catalogs, clock }, input);
    if (!asked.ok) return asked;
    const { from, to } = asked.value;
    const [sums, is_complete] = await Promise.all([shopSales.sums(from, to), shopSales.isComplete()]);
    return ok({ ...asked.value, is_complete, ...reportOf(sums) });
  };

/** The most orders that one page examines. */
const MOST_EXAMINED = 5000;
const INCOMPLETE =
  'The stored orders are not all counted yet; a running server does it within minutes, or: sums rebuild';

export type TransactionsInput = ReportDays & { readonly limit: number; readonly after: string | null };

/**
 * The sales and refunds of days, by order, newest order first. Every order is examined, because an old one may
 * have been refunded, so a page may be empty and have a next one. An order is never split.
 */
export const listTransactions = ({ shopSales, catalogs, clock }: Needs<'catalogs' | 'clock' | 'shopSales'>) =>
  async function listTransactions({ limit, after, ...input }: TransactionsInput) {
    const asked = await daysOf({ catalogs, clock }, input);
    if (!asked.ok) return asked;
    const { from, to } = asked.value;
    if (!(await shopSales.isComplete())) return refuse('sums_incomplete', { message: INCOMPLETE });
    const found: CountedOrder[] = [];
    let [examined, entries, next_after]: [number, number, string | null] = [0, 0, null];
    for await (const one of shopSales.counted(after)) {
      const within = one.moments.filter(({ day }) => day >= from && day <= to).length;
      if (within > 0) found.push(one);
      entries += within;
      if (++examined < MOST_EXAMINED && entries < limit) continue;
      next_after = placeOf(one.ordered_at, one.id);
      break;
    }
    const { products } = await catalogs.current();
    const slugOf = (id: number): string => products.get(id)?.slug ?? String(id);
    const reads = found.map(async (one) => {
      const order = await shopSales.orderOf(one);
      return order ? transactionsOf(order, one, { from, to, slugOf }) : [];
    });
    const rows = await Promise.all(reads);
    const end = fittingIn(rows);
    const last = found[end - 1];
    if (last && end < rows.length) next_after = placeOf(last.ordered_at, last.id);
    return ok({ ...asked.value, data: rows.slice(0, end).flat(), next_after });
  };

export type DueInput = { readonly state: DueState; readonly limit: number; readonly after?: string | null };

/** The subscriptions of the shop in a state, those first that change next, each with its customer. */
export const listDueSubscriptions = ({ accounts, shopSales, clock }: Needs<'accounts' | 'clock' | 'shopSales'>) =>
  async function listDueSubscriptions({
    state,
    limit,
    after = null,
  }: DueInput): Promise<Outcome<(ListedSubscription & { account_email: string | null })[], never>> {
    const now = clock.now();
    const found: Subscription[] = [];
    for await (const one of shopSales.due(state, now, after?.split(' ', 1)[0] ?? '')) {
      if (isDue(one, state, now) && isBehind(one, after, DUE)) found.push(one);
      if (found.length >= limit) break;
    }
    const emailOf = await emailsOf(
      accounts,
      found.map(({ account_id }) => account_id),
    );
    return ok(
      found.map((one) => ({
        ...one,
        standing: subscriptionStanding(one, now),
        account_email: emailOf(one.account_id),
      })),
    );
  };

/** Lists and counts what an older version stored, once; a later call continues. Returns true if nothing is left. */
export const completeSums = ({ shopSales }: Needs<'shopSales'>) =>
  function completeSums(permit: Permit, goOn: () => boolean = () => true): Promise<boolean> {
    return shopSales.complete(permit, goOn);
  };

export type CompleteSums = ReturnType<typeof completeSums>;

/** Compares all sums with the orders, and with a permit makes them right again. */
export const examineSums = ({ shopSales }: Needs<'shopSales'>) =>
  function examineSums(permit: Permit | null): Promise<SumsFaults> {
    return shopSales.examine(permit);
  };
