import { expect, test } from 'vitest';
import { licenseEnd } from '../../../domain/billing/license-end.ts';
import type { Order, Refund } from '../../../domain/billing/order.ts';
import { firstDue, needRank } from '../../../domain/billing/renewal.ts';
import { accessTo } from '../../../domain/licensing/access.ts';
import type { Holdings } from '../../../domain/licensing/entitlement.ts';
import { aBill, anEntitlement, anOrder, aProduct, aSubscription, NOW } from '../../support/builders.ts';

const [EARLY, LATE] = ['2020-01-01T00:00:00.000Z', '2020-02-01T00:00:00.000Z'] as const;
const RENEWAL = 'https://pay.example.com/renew';
const refund: Refund = { refunded_at: LATE, item_ids: null, keeps_access: false, reason: null };
const bought = anEntitlement({ order_id: 5, order_item_id: 1, granted_at: EARLY, revoked_at: LATE });
const owned = (entitlement = bought): Holdings => ({ entitlements: [entitlement], subscriptions: [] });
const rented = (order_id: number | null): Holdings => ({
  entitlements: [],
  subscriptions: [
    aSubscription({
      product_ids: [1],
      starts_at: EARLY,
      ends_at: LATE,
      billing: aBill({ order_id, renewal_url: RENEWAL }),
    }),
  ],
});
const order = (change: Partial<Order>): Order => anOrder({ id: 5, number: 'O-5', refunds: [refund], ...change });
const withdrawal = { declared_at: EARLY, ticket_id: 1 };
const O5 = { id: 5, number: 'O-5' };

test.each<[string, Holdings, Order[], object]>([
  ['refunded', owned(), [order({})], { because: 'refunded', at: LATE, order: O5 }],
  ['refunded after a withdrawal', owned(), [order({ withdrawal })], { because: 'withdrawn', order: O5 }],
  [
    'refunded in an import without refunds',
    owned(),
    [order({ refunds: undefined, status: 'refunded' })],
    { because: 'refunded', at: LATE, order: O5 },
  ],
  ['disputed', owned(), [order({ refunds: [{ ...refund, kind: 'dispute' }] })], { because: 'disputed', order: O5 }],
  ['revoked by the shop', owned(), [order({ refunds: [] })], { because: 'revoked', at: LATE, order: null }],
  ['revoked without an order', owned({ ...bought, order_id: null }), [], { because: 'revoked', at: LATE }],
  [
    'refunded with other items alone',
    owned(),
    [order({ refunds: [{ ...refund, item_ids: [2] }] })],
    { because: 'revoked', order: null },
  ],
  ['over', owned(anEntitlement({ access_expires_at: LATE, revoked_at: null })), [], { because: 'expired', at: LATE }],
  ['over with its subscription', rented(null), [], { because: 'expired', at: LATE, renewal_url: RENEWAL }],
  ['refunded with its subscription', rented(5), [order({})], { because: 'refunded', order: O5, renewal_url: null }],
])('the page of a license that is %s shows the reason', (_, holdings, orders, expected) => {
  const access = accessTo(aProduct({ id: 1 }), [], holdings, NOW);
  if (access.granted) throw new Error('The license is in force.');
  expect(licenseEnd(1, access, { holdings, orders, bundles: [] })).toMatchObject(expected);
});

test('subscriptions that need the buyer’s action come first, and the failed payment that ends access soonest is shown', () => {
  const all = (['expired', 'active', 'past_due'] as const).map((status) => ({ status, cancel_at_period_end: false }));
  expect(all.toSorted((a, b) => needRank(a) - needRank(b)).map(({ status }) => status)).toEqual([
    'past_due',
    'active',
    'expired',
  ]);
  const due = (id: number, access_ends_at: string | null, status = 'past_due') => ({ id, status, access_ends_at });
  expect(firstDue([due(1, null), due(2, LATE), due(3, EARLY), due(4, EARLY, 'active')])?.id).toBe(3);
  expect(firstDue([due(4, EARLY, 'active')])).toBeUndefined();
});
