import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ORDER_STATUSES, type Order } from '../../../domain/billing/order.ts';
import { isTimeZone, type Uses, withdrawalBar, withdrawalEnd } from '../../../domain/billing/withdrawal.ts';
import { addDays, DAY_MS, millis, toInstant } from '../../../domain/shared/instant.ts';
import { aBundle, anOrder, anOrderItem, NOW } from '../../support/builders.ts';

const TERMS = { days: 7, time_zone: 'Asia/Seoul', terms_url: null };
const NO_USES: Uses = { uses: [], bundles: [] };
const A_DAY_AGO = addDays(NOW, -1);

const paid = (overrides: Partial<Order> = {}): Order => anOrder({ ordered_at: A_DAY_AGO, ...overrides });

const canWithdraw = (order: Order, uses: Uses, now: string): boolean => withdrawalBar(order, uses, TERMS, now) === null;

describe('the period of withdrawal', () => {
  test.each([
    ['Asia/Seoul', 7, '2026-11-21T14:59:59.999Z', '2026-11-28T15:00:00.000Z'],
    ['Asia/Seoul', 7, '2026-11-21T15:00:00.000Z', '2026-11-29T15:00:00.000Z'],
    ['UTC', 1, '2026-11-21T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    // Daylight saving time ends on 25 October.
    ['Europe/Berlin', 14, '2026-10-15T08:00:00.000Z', '2026-10-29T23:00:00.000Z'],
    ['America/New_York', 14, '2026-03-01T02:00:00.000Z', '2026-03-15T04:00:00.000Z'],
    // There, 6 September begins at 01:00.
    ['America/Santiago', 1, '2026-09-04T12:00:00.000Z', '2026-09-06T04:00:00.000Z'],
    ['Asia/Kathmandu', 3, '2026-11-21T08:00:00.000Z', '2026-11-24T18:15:00.000Z'],
    ['Pacific/Kiritimati', 60, '9999-12-31T20:00:00.000Z', '+010000-03-01T10:00:00.000Z'],
  ])('in %s, %i days after a payment end with the last day there (%s)', (time_zone, days, paidAt, end) => {
    expect(withdrawalEnd(paidAt, { days, time_zone, terms_url: null })).toBe(end);
  });

  test('the withdrawal period lasts its days plus the rest of the first one, in every time zone', () => {
    const moment = fc.integer({ min: millis('2000-01-01T00:00:00.000Z'), max: millis('2100-01-01T00:00:00.000Z') });
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    fc.assert(
      fc.property(moment, zone, fc.integer({ min: 1, max: 60 }), (at, time_zone, days) => {
        const end = millis(withdrawalEnd(toInstant(at), { days, time_zone, terms_url: null }));
        const dayOf = (moment: number) => new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone }).format(moment);
        expect([dayOf(end) > dayOf(end - 1), end - at > (days - 1) * DAY_MS, end - at < (days + 2) * DAY_MS]).toEqual([
          true,
          true,
          true,
        ]);
      }),
    );
  });

  test('a time zone is valid if it has a name', () => {
    const names = ['Europe/Berlin', 'UTC', 'Asia/Atlantis', '+09:00', 'Korean time', ''];
    expect(names.filter(isTimeZone)).toEqual(['Europe/Berlin', 'UTC']);
  });
});

describe('the right to withdraw from an order', () => {
  test('the first reason against a withdrawal is reported', () => {
    const used = [anOrderItem({ first_used_at: A_DAY_AGO })];
    const later = addDays(NOW, 30);
    const withdrawal = { declared_at: A_DAY_AGO, ticket_id: 9 };
    expect(withdrawalBar(paid(), NO_USES, TERMS, NOW)).toBeNull();
    for (const none of [null, undefined]) expect(withdrawalBar(paid(), NO_USES, none, NOW)).toBe('not_offered');
    expect(withdrawalBar(paid({ withdrawal, status: 'refunded' }), NO_USES, TERMS, NOW)).toBe('declared');
    expect(withdrawalBar(paid({ status: 'partially_refunded' }), NO_USES, TERMS, NOW)).toBe('not_paid');
    expect(withdrawalBar(paid({ total_cents: 0 }), NO_USES, TERMS, NOW)).toBe('free');
    expect(withdrawalBar(paid({ items: used }), NO_USES, TERMS, later)).toBe('period_ended');
    expect(withdrawalBar(paid({ items: used }), NO_USES, TERMS, NOW)).toBe('used');
  });

  test('the buyer can withdraw from an order until the last moment of its period', () => {
    const order = paid();
    const end = withdrawalEnd(A_DAY_AGO, TERMS);
    expect(canWithdraw(order, NO_USES, toInstant(millis(end) - 1))).toBe(true);
    expect(canWithdraw(order, NO_USES, end)).toBe(false);
  });

  test.each(
    ORDER_STATUSES.filter((status) => status !== 'paid'),
  )('the buyer can’t withdraw from an order that is %s', (status) => {
    expect(canWithdraw(paid({ status }), NO_USES, NOW)).toBe(false);
  });

  test('the buyer can’t withdraw from an order that cost nothing', () => {
    const free = { unit_price_cents: 0, subtotal_cents: 0, total_cents: 0 };
    expect(canWithdraw(paid({ items: [anOrderItem(free)] }), NO_USES, NOW)).toBe(false);
    expect(canWithdraw(paid({ paid_at: null }), NO_USES, NOW)).toBe(false);
  });

  test('the buyer can’t withdraw from an order once any of its items was used', () => {
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

  test('the buyer can’t withdraw from an order once a product of a bundle in it was used', () => {
    const order = paid({ items: [anOrderItem({ product_id: 100 })] });
    const uses = [{ product_id: 1, first_used_at: NOW, last_used_at: NOW }];
    expect(canWithdraw(order, { uses, bundles: [aBundle()] }, NOW)).toBe(false);
    expect(canWithdraw(order, { uses, bundles: [] }, NOW)).toBe(true);
  });
});
