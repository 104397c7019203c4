import type { DescribedOrder } from '../../application/operations/describe-order.ts';
import type { RefundedOrder } from '../../application/operations/refund-order.ts';
import type { Order } from '../../domain/billing/order.ts';
import { takenAt } from '../../domain/billing/refund.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import { dayOf } from '../../domain/shared/instant.ts';
import { moneyText } from './money-text.ts';
import { facts, table } from './print.ts';

const part = (heading: string, rows: readonly unknown[], text: () => string): string[] =>
  rows.length === 0 ? [] : ['', heading, text()];

const refundsText = ({ refunds = [] }: Order): string =>
  table(
    ['refunded', 'items', 'access', 'reason'],
    refunds.map(({ refunded_at, item_ids, keeps_access, reason }) => [
      refunded_at,
      item_ids?.join(', ') ?? 'all',
      keeps_access ? 'kept' : 'taken back',
      reason,
    ]),
  );

const BARS: Readonly<Record<NonNullable<DescribedOrder['withdrawal_bar']>, (shown: DescribedOrder) => string>> = {
  not_paid: ({ order }) => `the order is ${order.status}`,
  free: () => 'the order cost nothing',
  period_ended: ({ withdraw_until }) => `the period ended at ${withdraw_until}`,
  used: () => 'an item was downloaded or used',
};

const withdrawalText = (shown: DescribedOrder): string =>
  shown.withdrawal_bar === null
    ? `possible until ${shown.withdraw_until}`
    : `not possible: ${BARS[shown.withdrawal_bar](shown)}`;

/** The text of an order with all that it gave. */
export const orderText = (shown: DescribedOrder): string => {
  const { order, account_email, slugs, entitlements, subscriptions, invoices } = shown;
  const money = (cents: number | null) => (cents === null ? null : moneyText(cents, order.currency));
  return [
    facts([
      ['order', order.id],
      ['number', order.number],
      ['account', account_email === null ? order.account_id : `${order.account_id}, ${account_email}`],
      ['status', order.status],
      ['ordered', order.ordered_at],
      ['paid', order.paid_at],
      ['paid by', order.payment_method],
      ['subtotal', money(order.subtotal_cents)],
      ['discount', money(order.discount_total_cents)],
      ['total', money(order.total_cents)],
      ['tax in it', money(order.vat_cents)],
      ['withdrawal', withdrawalText(shown)],
    ]),
    '',
    table(
      ['item', 'product', 'slug', 'quantity', 'total', 'access'],
      order.items.map(({ id, product_id, quantity, total_cents }, n) => [
        id,
        product_id,
        slugs[n] ?? null,
        quantity,
        money(total_cents),
        takenAt(order, id) === undefined ? '-' : 'taken back',
      ]),
    ),
    ...part('refunds', order.refunds ?? [], () => refundsText(order)),
    ...part('entitlements', entitlements, () =>
      table(
        ['id', 'product', 'item', 'status', 'granted', 'revoked', 'access until', 'updates until'],
        entitlements.map((one) => [
          one.id,
          one.product_id,
          one.order_item_id,
          one.status,
          one.granted_at,
          one.revoked_at,
          one.access_expires_at ?? 'for good',
          one.updates_supported_until ?? 'for good',
        ]),
      ),
    ),
    ...part('subscriptions', subscriptions, () =>
      table(
        ['id', 'products', 'status', 'from', 'to', 'next charge'],
        subscriptions.map(({ id, product_ids, standing, starts_at, ends_at }) => [
          id,
          product_ids.join(', '),
          standing.status,
          starts_at,
          ends_at,
          standing.next_charge_at,
        ]),
      ),
    ),
    ...part('invoices', invoices, () =>
      table(
        ['id', 'number', 'status', 'issued', 'total'],
        invoices.map((one) => [
          one.id,
          one.number,
          one.status,
          one.issued_at,
          moneyText(one.total_cents, one.currency),
        ]),
      ),
    ),
  ].join('\n');
};

/** The newest orders in a table. */
export const ordersText = (orders: readonly Order[]): string =>
  table(
    ['id', 'number', 'account', 'ordered', 'status', 'total', 'products'],
    orders.map(({ id, number, account_id, ordered_at, status, total_cents, currency, items }) => [
      id,
      number,
      account_id,
      ordered_at,
      status,
      moneyText(total_cents, currency),
      items.map(({ product_id }) => product_id).join(', '),
    ]),
  );

/** The sentences about what a refund does. `tense` tells whether it was done. */
export const refundText = (
  { order, changed, amount_cents, leaves_subscription }: RefundedOrder,
  tense: 'is' | 'would be',
): string => {
  const { entitlements, subscriptions, invoices } = changed;
  const ended = [
    ...(entitlements.length > 0
      ? [`${countOf(entitlements.length, 'entitlement')} ${plural(entitlements, tense)} revoked`]
      : []),
    ...(subscriptions.length > 0
      ? [`${countOf(subscriptions.length, 'subscription')} ${plural(subscriptions, tense)} ended`]
      : []),
    ...(invoices.length > 0
      ? [`${countOf(invoices.length, 'invoice')} ${plural(invoices, tense)} ${invoices[0]?.status}`]
      : []),
  ];
  const money =
    amount_cents === null
      ? `The amount is the total of ${moneyText(order.total_cents, order.currency)} less what was given back before.`
      : `The amount is ${moneyText(amount_cents, order.currency)}.`;
  return [
    `Order ${order.number} ${tense} ${order.status}${ended.map((one) => `, ${one}`).join('')}.`,
    ...(order.refunds?.at(-1)?.keeps_access ? ['The buyer keeps what the items gave.'] : []),
    money,
    ...(leaves_subscription
      ? ['The order paid for a subscription that does not name it, so the subscription goes on; end it by an import.']
      : []),
    'This moves no money; give it back at the payment provider.',
  ].join(' ');
};

const plural = (records: readonly unknown[], tense: 'is' | 'would be'): string =>
  tense === 'is' && records.length > 1 ? 'are' : tense;

/** The sentence about a refund that had nothing to do. */
export const unchangedText = ({ order }: RefundedOrder): string => {
  const [first] = order.refunds ?? [];
  const since = first === undefined ? '' : ` since ${dayOf(first.refunded_at)}`;
  return `Nothing has changed: order ${order.number} is ${order.status}${since}, and this refund was made already.`;
};
