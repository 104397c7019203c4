import type { Command } from 'commander';
import type { DescribedSubscription, ListedSubscription } from '../../application/operations/subscriptions.ts';
import { does, leaf, onOrders, shown } from './command.ts';
import { facts, moneyText, tableOf } from './print.ts';
import { account, id } from './values.ts';

type Options = { account: number };

const subscriptionsText = tableOf<ListedSubscription>({
  id: 'id',
  products: ({ product_ids }) => product_ids.join(', '),
  tier: ({ apps }) => apps?.tier ?? null,
  status: ({ standing }) => standing.status,
  from: 'starts_at',
  to: ({ ends_at }) => ends_at ?? 'open',
  'next charge': ({ standing }) => standing.next_charge_at,
  order: ({ billing }) => billing?.order_number ?? null,
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

const text = (described: DescribedSubscription): string => {
  const { subscription, standing, why, covers } = described;
  const { billing } = subscription;
  return facts([
    ['subscription', subscription.id],
    ['account', subscription.account_id],
    ['status', standing.status],
    ['because', REASONS[why.because](why.at ?? 'somebody ends it')],
    ['gives access', described.gives_access ? 'yes' : 'no'],
    ['from', subscription.starts_at],
    ['paid until', subscription.ends_at ?? 'somebody ends it'],
    ['grace until', described.grace_ends_at],
    ['access until', described.access_ends_at ?? 'somebody ends it'],
    ['cancelled', subscription.cancelled_at],
    ['next charge', standing.next_charge_at],
    ['renewal', renewalText(subscription)],
    ['begun by', billing?.order_number ? `order ${billing.order_number}` : null],
    ['covers', covers.map(({ product_id, slug }) => `${product_id} ${slug ?? '(gone)'}`).join(', ')],
    ['devices', subscription.device_limit ?? 'as each product says'],
    ['apps tier', subscription.apps?.tier ?? null],
  ]);
};

export const subscriptionCommands = (program: Command): void => {
  const group = program.command('subscription').description('subscriptions of an account');
  leaf(group, 'list', 'list the subscriptions of an account, newest first, with their present states')
    .requiredOption('--account <id-or-email>', 'account whose subscriptions to list', account)
    .action(
      does(onOrders, async (service, options: Options) =>
        shown(await service.get('listShopSubscriptions')(options.account), subscriptionsText),
      ),
    );
  leaf(group, 'show', 'show a subscription: its state now and why, its grace, its next charge, and what it covers')
    .argument('<id>', 'the subscription’s id, which is its own within the account', id)
    .requiredOption('--account <id-or-email>', 'account of the subscription', account)
    .action(
      does(onOrders, async (service, subscription: number, options: Options) =>
        shown(await service.get('describeSubscription')(options.account, subscription), text),
      ),
    );
};
