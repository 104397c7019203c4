import { type Command, Option } from 'commander';
import { ORDER_STATUSES, type OrderStatus } from '../../domain/billing/order.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { type Answered, answer, leaf, onOrders } from './command.ts';
import { confirmed } from './confirm.ts';
import { operatorPermit } from './operator.ts';
import { ordersText, orderText, refundText, unchangedText } from './order-text.ts';
import { progressBar } from './progress.ts';
import { account, id, line, MOST_ROWS, reason, rows, since } from './values.ts';

type Options = { json?: boolean };
type ListOptions = Options & { account?: number; status?: OrderStatus; since?: Instant; limit: number };
type RefundOptions = Options & {
  item?: readonly number[];
  keepAccess?: boolean;
  reason?: string;
  dryRun?: boolean;
  yes?: boolean;
};

const NEWEST = 100;

const ORDER_HELP = 'id or number of an order';

const list = (options: ListOptions): Answered =>
  onOrders(async (service) => {
    const bar = await progressBar();
    try {
      const { account: account_id = null, status = null, since: from = null, limit } = options;
      const { progress } = bar;
      const listed = await service.get('listShopOrders')({ account_id, status, since: from, limit, progress });
      return listed.ok ? ok({ json: listed.value, text: ordersText(listed.value) }) : listed;
    } finally {
      bar.stop();
    }
  });

const show = (order: string): Answered =>
  onOrders(async (service) => {
    const shown = await service.get('describeOrder')(order);
    return shown.ok ? ok({ json: shown.value, text: orderText(shown.value) }) : shown;
  });

const refund = (order: string, options: RefundOptions): Answered =>
  onOrders(async (service) => {
    const { item: item_ids = [], keepAccess: keeps_access = false, reason = null } = options;
    const wish = { order, item_ids, keeps_access, reason };
    const permit = operatorPermit('order refund');
    const tried = await service.get('refundOrder')(permit, { ...wish, trial: true });
    if (!tried.ok) return tried;
    if (tried.value.result === 'unchanged') return ok({ json: tried.value, text: unchangedText(tried.value) });
    const would = refundText(tried.value, 'would be');
    if (options.dryRun)
      return ok({ json: { ...tried.value, result: 'dry_run' }, text: `Nothing has changed. ${would}` });
    const confirmation = await confirmed(options, would, { data: { refund: tried.value.changed } });
    if (!confirmation.ok) return confirmation;
    const done = await service.get('refundOrder')(permit, wish);
    if (!done.ok) return done;
    const text = done.value.result === 'unchanged' ? unchangedText(done.value) : refundText(done.value, 'is');
    return ok({ json: done.value, text });
  });

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
  leaf(group, 'list', 'list orders, newest first; without --account this reads every account of the shop')
    .option('--account <id-or-email>', 'only orders of this account', account)
    .addOption(new Option('--status <status>', 'only orders with this status').choices(ORDER_STATUSES))
    .option('--since <date>', 'only orders from this day (in UTC) or this moment on', since)
    .option('--limit <number>', `most orders to list, from 1 to ${MOST_ROWS}`, rows, NEWEST)
    .action((options: ListOptions) => answer(options, () => list(options)));
  leaf(group, 'show', 'show an order, what it gave, and whether the buyer may withdraw from it')
    .argument('<order>', ORDER_HELP, line)
    .action((order: string, options: Options) => answer(options, () => show(order)));
  leaf(group, 'refund', 'mark an order or some of its items as refunded, and take back what they gave')
    .argument('<order>', ORDER_HELP, line)
    .option('--item <id>', 'an item to refund, as `order show` lists it; give it once for each item', collected)
    .option('--keep-access', 'let the buyer go on using what the items gave')
    .option(
      '--reason <text>',
      'a note for yourself, kept with the order; name nobody in it, and no @: it outlives the account’s erasure',
      reason,
    )
    .option('--dry-run', 'say what would change, and change nothing')
    .option('--yes', 'refund without asking')
    .addHelpText('after', REFUND_HELP)
    .action((order: string, options: RefundOptions) => answer(options, () => refund(order, options)));
};
