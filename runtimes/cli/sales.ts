import { Argument, type Command, Option } from 'commander';
import type { SyncedSales } from '../../application/sales/sync-sales.ts';
import type { Progress } from '../../application/shared/progress.ts';
import { ORDER_STATUSES } from '../../domain/billing/order.ts';
import { DUE_STATES } from '../../domain/billing/subscription-due.ts';
import { TRANSACTION_HEAD, transactionLines } from '../../domain/billing/transactions.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import { dayOf, type Instant } from '../../domain/shared/instant.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { addCommand, answerFrom, calls, lists, onService, onShop, operatorPermit, runsOn } from './command.ts';
import { moneyText, printed, table, tableOf, withProgress } from './print.ts';
import { type AnswerOf, type EntryOf, productSlugs } from './send.ts';
import { account, id, line, MOST_ROWS, reason, rows, since } from './values.ts';

/** An order with the records that came from it. */
const orderText = ({ subscriptions, ...described }: AnswerOf<'describeOrder'>): string =>
  printed({ ...described, subscriptions: subscriptions.map(({ standing, ...one }) => ({ ...one, ...standing })) });

/** The newest orders in a table. */
const ordersText = tableOf<EntryOf<'listShopOrders'>>('id', 'number', 'account_id', 'ordered_at', 'status', {
  total: ({ total_cents, currency }) => moneyText(total_cents, currency),
  products: ({ items }) => items.flatMap(({ product_id }) => product_id ?? []).join(', '),
  buyer: 'account_email',
  withdrawal: ({ withdrawal }) => withdrawal?.declared_at ?? null,
});

type RefundedOrder = AnswerOf<'refundOrder'>;

/** The sentences about the effect of a refund. `tense` says whether it was made. */
const refundText = (
  { order, changed, amount_cents, leaves_subscription }: RefundedOrder,
  tense: 'is' | 'would be',
): string => {
  const { entitlements, subscriptions, invoices } = changed;
  const ended = [
    { records: entitlements, name: 'entitlement', end: 'revoked' },
    { records: subscriptions, name: 'subscription', end: 'ended' },
    { records: invoices, name: 'invoice', end: invoices[0]?.status },
  ].flatMap(({ records: { length }, name, end }) =>
    length === 0 ? [] : [`, ${countOf(length, name)} ${tense === 'is' && length > 1 ? 'are' : tense} ${end}`],
  );
  const money =
    amount_cents === null
      ? `The amount is the total of ${moneyText(order.total_cents, order.currency)} minus earlier refunds.`
      : `The amount is ${moneyText(amount_cents, order.currency)}.`;
  return [
    `Order ${order.number} ${tense} ${order.status}${ended.join('')}.`,
    ...(order.refunds?.at(-1)?.keeps_access ? ['The buyer keeps the access.'] : []),
    money,
    ...(leaves_subscription
      ? ['The order paid for a subscription that does not name it, so the subscription continues; end it by an import.']
      : []),
    'This moves no money; refund the payment at the provider.',
  ].join(' ');
};

/** The sentence about a refund that changed nothing. */
const unchangedText = ({ order }: RefundedOrder): string => {
  const [first] = order.refunds ?? [];
  const since = first === undefined ? '' : ` since ${dayOf(first.refunded_at)}`;
  return `Nothing has changed: order ${order.number} is ${order.status}${since}, and this refund was already recorded.`;
};

const NEWEST_ORDERS = 100;

const ORDER_HELP = 'id or number of an order';

const REFUND_HELP = `
Without --item the whole order is refunded. The entitlements of the refunded
items are revoked at once, a subscription that the order began ends, and the
invoices of a whole refund become refunded. Keys and devices stay, and are
answered entitlement_revoked. An application that is offline goes on until its
license token ends.

The command moves no money: give it back at the payment provider. An import
keeps the refund, also where the document still shows the order as paid, and
warns of it; "refunds": [] in the document's order undoes its refunds, with a
warning.`;

const collected = (text: string, before: readonly number[] | undefined): readonly number[] => [
  ...(before ?? []),
  id(text),
];

export const orderCommands = (program: Command): void => {
  const group = program.command('order').description('orders and their refunds');
  addCommand(group, 'list', 'list orders, newest first')
    .option('--account <id-or-email>', 'only orders of this account', account)
    .addOption(new Option('--status <status>', 'only orders with this status').choices(ORDER_STATUSES))
    .option('--since <date>', 'only orders from this day (in UTC) or time on', since)
    .option('--limit <number>', `maximum number of orders to list, from 1 to ${MOST_ROWS}`, rows, NEWEST_ORDERS)
    .action(lists('listShopOrders', { slow: true, text: ordersText }));
  addCommand(group, 'show', 'show an order, what it gave, and whether the buyer may withdraw from it')
    .argument('<order>', ORDER_HELP, line)
    .action(calls('describeOrder', { text: orderText }));
  addCommand(group, 'refund', 'mark an order or some of its items as refunded, and revoke what they gave')
    .argument('<order>', ORDER_HELP, line)
    .option('--item <id>', 'an item to refund, as `order show` lists it; repeatable', collected)
    .option('--keep-access', 'let the buyer keep the access')
    .option(
      '--reason <text>',
      'a note for yourself, stored with the order; without names or email addresses, because it outlives the account’s erasure',
      reason,
    )
    .option('--dry-run', 'say what would change, and change nothing')
    .option('--yes', 'refund without asking')
    .addHelpText('after', REFUND_HELP)
    .action(
      calls('refundOrder', {
        fields: ({ item, keep_access }) => ({ item_ids: item, keeps_access: keep_access }),
        lossAfter: (tried) => (tried.result === 'unchanged' ? null : refundText(tried, 'would be')),
        lossData: ({ changed }) => ({ refund: changed }),
        text: (done, { dry_run }) =>
          done.result === 'unchanged'
            ? unchangedText(done)
            : dry_run
              ? `Nothing has changed. ${refundText(done, 'would be')}`
              : refundText(done, 'is'),
        json: (done, { dry_run }) => (dry_run && done.result !== 'unchanged' ? { ...done, result: 'dry_run' } : done),
      }),
    );
  addCommand(group, 'settle', 'mark a pending order of the shop’s own system as paid, and give its products')
    .argument('<order>', ORDER_HELP, line)
    .action(calls('settleOrder', { text: ({ order_id }) => `Order ${order_id} is paid.` }));
  addCommand(group, 'mail', 'mail the buyer a paid order again, with a new link')
    .argument('<order>', ORDER_HELP, line)
    .action(calls('resendOrderMail', { text: ({ mailed_to }) => `The mail goes to ${mailed_to}.` }));
};

type ShownSums = AnswerOf<'showSums'>;

/** Sums in a table, whose first column says what they are of. */
const sumsText = <T extends ShownSums['totals'][number]>(
  heading: string,
  of: (one: T) => string,
  rows: readonly T[],
) => {
  return table(
    [heading, 'orders', 'units', 'gross', 'refunds', 'tax', 'refunded tax', 'net'],
    rows.map(({ currency, ...one }) => {
      const remaining = one.tax_cents - one.refunded_tax_cents;
      const amounts = [one.gross_cents, one.refunded_cents, remaining, one.refunded_tax_cents, one.net_cents];
      return [
        of({ currency, ...one } as T),
        one.orders,
        one.units,
        ...amounts.map((cents) => moneyText(cents, currency)),
      ];
    }),
  );
};

const shownText = (
  { from, to, time_zone, is_complete, totals, days, products, providers }: ShownSums,
  slugs: ReadonlyMap<number | null, string>,
): string =>
  [
    `Sales from ${from} to ${to} (${time_zone}).`,
    ...(is_complete ? [] : ['The orders of an older version are still being counted, so the sums are too low.']),
    ...(totals.length === 0 ? ['Nothing was sold or refunded.'] : []),
    ...(totals.length === 0
      ? []
      : [
          sumsText('currency', ({ currency }) => currency, totals),
          sumsText('day', ({ day }) => day, days),
          sumsText('product', ({ product_id }) => slugs.get(product_id) ?? String(product_id ?? '-'), products),
          sumsText('provider', ({ provider }) => provider ?? '-', providers),
        ]),
  ].join('\n\n');

const examinedText =
  (done: string) =>
  ({ orders, sums }: { readonly orders: number; readonly sums: number }): string =>
    orders + sums === 0
      ? 'The sums are those of the orders.'
      : `${countOf(orders, 'order')} and ${countOf(sums, 'sum')} ${done}.`;

const SUMS_HELP = `
An order counts on the day of its payment in the time zone of the storefront, a
refund on its own day. Both keep their day if the zone changes; a rebuild counts
every day in the present zone.`;

const EXPORT_HELP = `
One line for each sale and refund, newest order first; they add up to the sums of
the same days. Amounts are in the currency's own unit with a decimal point. Tests
and disputes are left out. An output that ends with an error is not complete.`;

type ExportOptions = { from?: string; to?: string; after?: string; json?: true };

/** Prints each page as it comes, except as JSON. */
const exportCsv = runsOn(onShop, async ({ send }, { json, ...days }: ExportOptions) => {
  const all: object[] = [];
  for (let asked: ExportOptions = days; ; ) {
    const answer = await send('listTransactions', { ...asked, limit: 1000 });
    if (!answer.ok) return answer;
    const { data, next_after, from, to } = answer.value;
    if (json) all.push(...data);
    else process.stdout.write(`${asked.after === undefined ? TRANSACTION_HEAD : ''}${transactionLines(data)}`);
    if (next_after === null) return ok({ json: all, text: null });
    asked = { from, to, after: next_after };
  }
});

export const sumsCommands = (program: Command): void => {
  const group = program.command('sums').description('sums of sales by day, product and payment provider');
  addCommand(group, 'show', 'show the sums of up to 366 days, by currency')
    .option('--from <day>', 'first day, such as 2026-11-01; default: 30 days back', line)
    .option('--to <day>', 'last day; default: today', line)
    .addHelpText('after', SUMS_HELP)
    .action(
      runsOn(onShop, async ({ send, list }, { from, to }: { from?: string; to?: string }) => {
        const slugs = await productSlugs({ list });
        return answerFrom(await send('showSums', { from, to }), (sums) => shownText(sums, slugs));
      }),
    );
  addCommand(group, 'export', 'print the sales and refunds of up to 366 days as a CSV file')
    .option('--from <day>', 'first day, such as 2026-10-01; default: 30 days back', line)
    .option('--to <day>', 'last day; default: today', line)
    .addHelpText('after', EXPORT_HELP)
    .action(exportCsv);
  addCommand(group, 'check', 'compare the sums with every order').action(
    runsOn(onService, async (service) =>
      answerFrom(ok(await service.get('examineSums')(null)), examinedText('are not counted right; run: sums rebuild')),
    ),
  );
  addCommand(group, 'rebuild', 'count every order anew; the server may run meanwhile').action(
    runsOn(onService, async (service) =>
      answerFrom(ok(await service.get('examineSums')(operatorPermit())), examinedText('were counted anew')),
    ),
  );
};

const listedText = tableOf<EntryOf<'listShopSubscriptions'>>('id', {
  products: ({ product_ids }) => product_ids.join(', '),
  tier: ({ apps }) => apps?.tier ?? null,
  status: ({ standing }) => standing.status,
  from: 'starts_at',
  to: ({ ends_at }) => ends_at ?? 'open',
  'next charge': ({ standing }) => standing.next_charge_at,
  order: ({ billing }) => billing?.order_number ?? null,
});

const dueText = tableOf<EntryOf<'listDueSubscriptions'>>('id', 'account_id', {
  customer: ({ account_email }) => account_email,
  status: ({ standing }) => standing.status,
  to: ({ ends_at }) => ends_at ?? 'open',
  'next charge': ({ standing }) => standing.next_charge_at,
});

export const subscriptionCommands = (program: Command): void => {
  const group = program.command('subscription').description('subscriptions of the shop and of an account');
  addCommand(group, 'due', 'list the subscriptions of the shop by their next change')
    .addOption(
      new Option('--state <state>', 'only those of this state').choices(DUE_STATES).default('renewing', 'renewing'),
    )
    .option('--limit <number>', `maximum number of subscriptions to list, from 1 to ${MOST_ROWS}`, rows, NEWEST_ORDERS)
    .action(lists('listDueSubscriptions', { text: dueText }));
  addCommand(group, 'list', 'list the subscriptions of an account, newest first, with their current states')
    .requiredOption('--account <id-or-email>', 'account whose subscriptions to list', account)
    .action(lists('listShopSubscriptions', { text: listedText }));
  addCommand(
    group,
    'show',
    'show a subscription: its state and why, its grace period, its next charge, and its products',
  )
    .argument('<subscription>', 'the subscription’s id, unique within the account', id)
    .requiredOption('--account <id-or-email>', 'account of the subscription', account)
    .action(calls('describeSubscription'));
};

const NEWEST = 100;

type ListedEvent = EntryOf<'listEvents'>;

const eventsText = tableOf<ListedEvent>('received_at', 'provider', 'id', 'type', 'state', 'reason', {
  buyer: ({ buyer }) => buyer ?? null,
});

const replayedText = (events: readonly ListedEvent[]): string =>
  events.length === 0 ? 'No event is refused.' : `${countOf(events.length, 'event')} replayed:\n${eventsText(events)}`;

const EVENT_HELP = `
An event is refused, whole or in part, where the shop has to mend something
first: a price that the store document does not map, a currency, an address.
Mend it, import the store document, and run the event again. Nothing is recorded
twice.`;

export const eventCommands = (program: Command): void => {
  const group = program.command('event').description('events of payment providers, stored for 30 days');
  addCommand(group, 'list', 'list received events, newest first')
    .option('--refused', 'only events that could not be recorded in full')
    .option('--open', 'these, and the events that are waiting')
    .option('--limit <number>', `maximum number of events to list, from 1 to ${MOST_ROWS}`, rows, NEWEST)
    .action(
      lists('listEvents', {
        fields: ({ refused, open }) => ({ only: refused ? 'refused' : open ? 'open' : null }),
        text: eventsText,
      }),
    );
  addCommand(group, 'show', 'show an event with its body')
    .argument('<event>', 'the provider’s id of the event, as `event list` shows it', line)
    .action(calls('showEvent'));
  const replaying = addCommand(group, 'replay', 'replay an event, or all refused ones')
    .argument('[event]', 'the provider’s id of the event, as `event list` shows it', line)
    .option('--refused', 'replay all refused events')
    .addHelpText('after', EVENT_HELP);
  replaying.action((event: string | undefined, options: { refused?: boolean }, command: Command) => {
    if ((event === undefined) === (options.refused ?? false)) {
      return lists('replayEvents', { text: replayedText })(event, options, command);
    }
    return replaying.error('error: name one event, or give --refused for all refused events');
  });
};

type SyncOptions = { since?: Instant; trial?: boolean; mail?: boolean };

const objectsText = tableOf<SyncedSales['objects'][number]>('reference', 'result', 'reason');

const syncedText = ({ objects, ...counts }: SyncedSales, trial: boolean): string => {
  const sum = Object.entries(counts).map(([result, count]) => `${count} ${result}`);
  const head = trial ? `Nothing has changed. The result would be: ${sum.join(', ')}.` : `${sum.join(', ')}.`;
  return [head, ...(objects.length > 0 ? [objectsText(objects)] : [])].join('\n');
};

const sync = runsOn(onService, async (service, provider: string, options: SyncOptions) => {
  const { since: from = null, trial = false, mail: mails = false } = options;
  const work = (progress: Progress) =>
    service.get('syncSales')(operatorPermit(), { provider, since: from, trial, mails, progress });
  return answerFrom(await withProgress(work), (synced) => syncedText(synced, trial));
});

const SYNC_HELP = `
Needs the API key of the provider (docs/running.md). Nothing is recorded twice:
the command may run beside the webhooks, and again after a break. Subscriptions
are always read as a whole.`;

export const syncCommand = (program: Command): void => {
  addCommand(program, 'sync', 'record the sales that a payment provider lists')
    .addArgument(new Argument('<provider>', 'whose sales to read').choices(['stripe', 'paddle', 'polar']))
    .option('--since <date>', 'only payments and refunds from this day (in UTC) or time on', since)
    .option('--trial', 'say what would change, and change nothing')
    .option('--mail', 'send the mails of the orders to their buyers')
    .addHelpText('after', SYNC_HELP)
    .action(sync);
};
