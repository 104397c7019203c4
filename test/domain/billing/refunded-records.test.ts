import { describe, expect, test } from 'vitest';
import { subscriptionUnderRefund, withKeptRefunds } from '../../../domain/billing/refund.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { aBill, anOrder, anOrderItem, aSubscription, NOW } from '../../support/builders.ts';

const twoItems = [anOrderItem({ id: 1, product_id: 1 }), anOrderItem({ id: 2, product_id: 2 })];

describe('a subscription under a refund', () => {
  const refund = { refunded_at: NOW, item_ids: null, keeps_access: false, reason: null };

  test('a refund ends a running trial and leaves a trial that is over unchanged', () => {
    const order = anOrder({ id: 5, refunds: [refund] });
    const trialEnd = (trial_ends_at: string | null) =>
      subscriptionUnderRefund(aSubscription({ billing: aBill({ order_id: 5, trial_ends_at }) }), order).billing
        ?.trial_ends_at;
    expect(trialEnd(addDays(NOW, 1))).toBe(NOW);
    expect(trialEnd(addDays(NOW, -1))).toBe(addDays(NOW, -1));
    expect(trialEnd(null)).toBeNull();
  });

  test('a subscription of two items ends with the later of their refunds and runs while one item is paid', () => {
    const first = { ...refund, refunded_at: addDays(NOW, -1), item_ids: [1] };
    const endOf = (refunds: (typeof refund | typeof first)[]) =>
      subscriptionUnderRefund(
        aSubscription({ product_ids: [1, 2], billing: aBill({ order_id: 5 }) }),
        anOrder({ id: 5, items: twoItems, refunds }),
      ).ends_at;
    expect(endOf([first])).toBeNull();
    expect(endOf([first, { ...first, item_ids: [2], refunded_at: NOW }])).toBe(NOW);
    expect(endOf([{ ...first, item_ids: [2], refunded_at: NOW }, first])).toBe(NOW);
  });
});

test('the refunds of an order are sorted by time, in whatever order they were written', () => {
  const at = (day: number) => ({ refunded_at: addDays(NOW, day), item_ids: [1], keeps_access: false, reason: null });
  const order = anOrder({ id: 5, items: twoItems });
  for (const [named, stored] of [
    [1, 2],
    [2, 1],
  ] as const) {
    const kept = withKeptRefunds({ ...order, refunds: [at(named)] }, { ...order, refunds: [at(stored)] });
    expect(kept.refunds).toEqual([at(1), at(2)]);
  }
});
