import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ORDER_STATUSES, type Order } from '../../domain/billing/order.ts';
import { canWithdraw, type Uses, withdrawalBar, withdrawalEnd } from '../../domain/billing/withdrawal.ts';
import { addDays, DAY_MS, millis, toInstant } from '../../domain/shared/instant.ts';
import { aBundle, anOrder, anOrderItem, NOW } from '../support/builders.ts';

const NO_USES: Uses = { uses: [], bundles: [] };
const A_DAY_AGO = addDays(NOW, -1);

const paid = (overrides: Partial<Order> = {}): Order => anOrder({ ordered_at: A_DAY_AGO, ...overrides });

describe('the period of withdrawal', () => {
  test('the withdrawal period ends at midnight in Korea after the seventh day, not counting the day of payment', () => {
    expect(withdrawalEnd('2026-11-21T08:00:00.000Z')).toBe('2026-11-28T15:00:00.000Z');
    // Just before and at midnight in Korea.
    expect(withdrawalEnd('2026-11-21T14:59:59.999Z')).toBe('2026-11-28T15:00:00.000Z');
    expect(withdrawalEnd('2026-11-21T15:00:00.000Z')).toBe('2026-11-29T15:00:00.000Z');
  });

  test('the withdrawal period lasts seven days and the rest of the first day', () => {
    const moment = fc.integer({ min: millis('2000-01-01T00:00:00.000Z'), max: millis('2100-01-01T00:00:00.000Z') });
    fc.assert(
      fc.property(moment, (at) => {
        const lasts = millis(withdrawalEnd(toInstant(at))) - at;
        expect(lasts > 7 * DAY_MS && lasts <= 8 * DAY_MS).toBe(true);
      }),
    );
  });
});

describe('the right to withdraw from an order', () => {
  test('the first reason against a withdrawal is named', () => {
    const used = [anOrderItem({ first_used_at: A_DAY_AGO })];
    const later = addDays(NOW, 30);
    expect(withdrawalBar(paid(), NO_USES, NOW)).toBeNull();
    expect(withdrawalBar(paid({ status: 'partially_refunded' }), NO_USES, NOW)).toBe('not_paid');
    expect(withdrawalBar(paid({ total_cents: 0 }), NO_USES, NOW)).toBe('free');
    expect(withdrawalBar(paid({ items: used }), NO_USES, later)).toBe('period_ended');
    expect(withdrawalBar(paid({ items: used }), NO_USES, NOW)).toBe('used');
  });

  test('an order can be withdrawn from until the last moment of its period', () => {
    const order = paid();
    const end = withdrawalEnd(A_DAY_AGO);
    expect(canWithdraw(order, NO_USES, toInstant(millis(end) - 1))).toBe(true);
    expect(canWithdraw(order, NO_USES, end)).toBe(false);
  });

  test.each(
    ORDER_STATUSES.filter((status) => status !== 'paid'),
  )('an order that is %s cannot be withdrawn from', (status) => {
    expect(canWithdraw(paid({ status }), NO_USES, NOW)).toBe(false);
  });

  test('an order that nothing was paid for cannot be withdrawn from', () => {
    const free = { unit_price_cents: 0, subtotal_cents: 0, total_cents: 0 };
    expect(canWithdraw(paid({ items: [anOrderItem(free)] }), NO_USES, NOW)).toBe(false);
    expect(canWithdraw(paid({ paid_at: null }), NO_USES, NOW)).toBe(false);
  });

  test('an order cannot be withdrawn from once any of its items was used', () => {
    const items = [anOrderItem(), anOrderItem({ id: 2, product_id: 2, first_used_at: NOW })];
    expect(canWithdraw(paid({ items }), NO_USES, NOW)).toBe(false);
    expect(canWithdraw(paid({ items: items.slice(0, 1) }), NO_USES, NOW)).toBe(true);
  });

  test.each([
    ['a use of the product since the payment ends the right to withdraw', 1, A_DAY_AGO, false],
    ['a last use before the payment leaves the right to withdraw', 1, addDays(A_DAY_AGO, -1), true],
    ['a use of another product leaves the right to withdraw', 2, NOW, true],
  ])('%s', (_, product_id, last_used_at, expected) => {
    const use = { product_id, first_used_at: addDays(A_DAY_AGO, -9), last_used_at };
    expect(canWithdraw(paid(), { uses: [use], bundles: [] }, NOW)).toBe(expected);
  });

  test('an order cannot be withdrawn from once a product of a bundle in it was used', () => {
    const order = paid({ items: [anOrderItem({ product_id: 100 })] });
    const uses = [{ product_id: 1, first_used_at: NOW, last_used_at: NOW }];
    expect(canWithdraw(order, { uses, bundles: [aBundle()] }, NOW)).toBe(false);
    expect(canWithdraw(order, { uses, bundles: [] }, NOW)).toBe(true);
  });
});
