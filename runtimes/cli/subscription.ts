import type { Command } from 'commander';
import type { DescribedSubscription } from '../../application/operations/describe-subscription.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { type Answered, answer, leaf, onOrders } from './command.ts';
import { moneyText } from './money-text.ts';
import { facts, table } from './print.ts';
import { account, id } from './values.ts';

type Options = { json?: boolean; account: number };

const list = (account: number): Answered =>
  onOrders(async (service) => {
    const listed = await service.get('listShopSubscriptions')(account);
    if (!listed.ok) return listed;
    const rows = listed.value.map(({ id: shown, product_ids, standing, starts_at, ends_at, apps, billing }) => [
      shown,
      product_ids.join(', '),
      apps?.tier ?? null,
      standing.status,
      starts_at,
      ends_at ?? 'open',
      standing.next_charge_at,
      billing?.order_number ?? null,
    ]);
    const headings = ['id', 'products', 'tier', 'status', 'from', 'to', 'next charge', 'order'];
    return ok({ json: listed.value, text: table(headings, rows) });
  });

const REASONS: Readonly<Record<DescribedSubscription['why']['because'], (at: string) => string>> = {
  cancelled_and_over: (at) => `it was cancelled, and its access ended at ${at}`,
  over: (at) => `its access ended at ${at}`,
  cancelled: (at) => `it was cancelled at ${at}, and runs to the end of the paid period`,
  begins_later: (at) => `it begins at ${at}`,
  in_grace: (at) => `the paid period is over, and the grace period lasts until ${at}`,
  payment_due: (at) => `the shop recorded a payment that is due; the paid period ends at ${at}`,
  in_trial: (at) => `it is a trial until ${at}`,
  in_force: (at) => `it runs until ${at}`,
};

const renewalText = ({ billing }: DescribedSubscription['subscription']): string | null =>
  billing?.renewal_amount_cents == null || billing.renewal_currency === null
    ? null
    : moneyText(billing.renewal_amount_cents, billing.renewal_currency);

const text = (shown: DescribedSubscription): string => {
  const { subscription, standing, why, covers } = shown;
  const { billing } = subscription;
  return facts([
    ['subscription', subscription.id],
    ['account', subscription.account_id],
    ['status', standing.status],
    ['because', REASONS[why.because](why.at ?? 'somebody ends it')],
    ['gives access', shown.gives_access ? 'yes' : 'no'],
    ['from', subscription.starts_at],
    ['paid until', subscription.ends_at ?? 'somebody ends it'],
    ['grace until', shown.grace_ends_at],
    ['access until', shown.access_ends_at ?? 'somebody ends it'],
    ['cancelled', subscription.cancelled_at],
    ['next charge', standing.next_charge_at],
    ['renewal', renewalText(subscription)],
    ['begun by', billing?.order_number ? `order ${billing.order_number}` : null],
    ['covers', covers.map(({ product_id, slug }) => `${product_id} ${slug ?? '(gone)'}`).join(', ')],
    ['devices', subscription.device_limit ?? 'as each product says'],
    ['apps tier', subscription.apps?.tier ?? null],
  ]);
};

const show = (account: number, subscription: number): Answered =>
  onOrders(async (service) => {
    const shown = await service.get('describeSubscription')(account, subscription);
    return shown.ok ? ok({ json: shown.value, text: text(shown.value) }) : shown;
  });

export const subscriptionCommands = (program: Command): void => {
  const group = program.command('subscription').description('subscriptions of an account');
  leaf(group, 'list', 'list the subscriptions of an account, newest first, with their present states')
    .requiredOption('--account <id-or-email>', 'account whose subscriptions to list', account)
    .action((options: Options) => answer(options, () => list(options.account)));
  leaf(group, 'show', 'show a subscription: its state now and why, its grace, its next charge, and what it covers')
    .argument('<id>', 'the subscription’s id, which is its own within the account', id)
    .requiredOption('--account <id-or-email>', 'account of the subscription', account)
    .action((subscription: number, options: Options) => answer(options, () => show(options.account, subscription)));
};
