import type { Permit } from '../../domain/access/permit.ts';
import { type RefundEffect, type RefundWish, refundEffect } from '../../domain/billing/refund-order.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import type { FindOrder } from './find-order.ts';

export type Ports = Needs<'clock' | 'orderRecords' | 'pauses'> & { findOrder: FindOrder };

export type Input = RefundWish & {
  /** The order's id or number. */
  readonly order: string;
  /** True decides and writes nothing. */
  readonly trial?: boolean;
};

export type RefundedOrder = RefundEffect & { readonly result: 'changed' | 'unchanged' };

export type Refusal = 'order_not_found' | 'order_ambiguous' | 'order_not_paid' | 'item_not_found';

const isChanged = ({ changed: { order, entitlements, subscriptions, invoices } }: RefundEffect): boolean =>
  order !== null || entitlements.length + subscriptions.length + invoices.length > 0;

const joined = <T extends { readonly id: number }>(before: readonly T[], later: readonly T[]): T[] => [
  ...new Map([...before, ...later].map((record) => [record.id, record])).values(),
];

/** The effect of a refund together with what it changed in a later transaction. */
const withLater = (whole: RefundEffect, { changed, leaves_subscription }: RefundEffect): RefundEffect => ({
  ...whole,
  leaves_subscription,
  changed: {
    order: whole.changed.order,
    entitlements: joined(whole.changed.entitlements, changed.entitlements),
    subscriptions: joined(whole.changed.subscriptions, changed.subscriptions),
    invoices: joined(whole.changed.invoices, changed.invoices),
  },
});

/**
 * Refunds an order or some of its items, and takes back what they gave. It moves no money: the payment provider does.
 * One transaction writes up to 49 records. Of more, the order goes first and the others follow, so that a refund that
 * is killed is on the order already, and the same refund again takes back the rest. It ends once a new read shows
 * nothing more to change: a record that names the order may be written between the read and the write of the order.
 */
export const refundOrder =
  ({ findOrder, orderRecords, clock, pauses }: Ports) =>
  async (permit: Permit, { order: named, trial = false, ...wish }: Input): Promise<Outcome<RefundedOrder, Refusal>> => {
    const found = await findOrder(named);
    if (!found.ok) return found;
    let whole: RefundEffect | undefined;
    return untilWritten(pauses, async () => {
      for (;;) {
        const read = await orderRecords.read(found.value.account_id, found.value.id);
        if (!read) return refuse('order_not_found', { message: `Order ${named} is gone.` });
        const decided = refundEffect(read, wish, clock.now());
        if (!decided.ok) return decided;
        const effect = decided.value;
        if (trial || !isChanged(effect))
          return ok({ ...(whole ?? effect), result: isChanged(whole ?? effect) ? 'changed' : 'unchanged' });
        if (!(await orderRecords.refund(permit, effect.changed, read))) return CONFLICT;
        whole = whole ? withLater(whole, effect) : effect;
      }
    });
  };

export type RefundOrder = ReturnType<typeof refundOrder>;
