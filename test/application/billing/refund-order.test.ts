import { describe, expect, test } from 'vitest';
import type { Actor } from '../../../domain/access/actor.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { AuditEntry } from '../../../domain/audit/entry.ts';
import { accessTo } from '../../../domain/licensing/access.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import {
  aBill,
  aBundle,
  anEntitlement,
  anInvoice,
  anOrder,
  anOrderItem,
  aProduct,
  aSubscription,
  NOW,
} from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';
import { shopRecords } from '../../support/shop-records.ts';

const OPERATOR: Actor = { kind: 'command', id: 'kim', account_id: null, through: 'order refund', from: 'shop-1' };
const permit = grantPermit(() => OPERATOR);

const order = anOrder({ id: 5, number: 'QD-5', items: [anOrderItem({ id: 1, product_id: 100 })] });
const entitlement = anEntitlement({ id: 8, product_id: 100, order_id: 5, order_item_id: 1 });

const shop = async (contents: Contents = {}) => {
  const store = await aStore([shopRecords], {
    products: [aProduct({ id: 1 }), aProduct({ id: 100 })],
    bundles: [aBundle()],
    orders: [order],
    entitlements: [entitlement],
    subscriptions: [
      aSubscription({ id: 9, product_ids: [100], billing: aBill({ order_id: 5, order_number: 'QD-5' }) }),
    ],
    invoices: [anInvoice({ id: 6, order_id: 5 })],
    ...contents,
  });
  const refund = (named: string, input: { item_ids?: number[]; keeps_access?: boolean; trial?: boolean } = {}) =>
    store.get('refundOrder')(permit, { order: named, item_ids: [], keeps_access: false, reason: null, ...input });
  const log = async (): Promise<AuditEntry[]> =>
    Array.fromAsync(
      store.get('auditLog').list({
        since: null,
        until: null,
        account_id: null,
        product_id: null,
        action: null,
        by: 'command',
        subject: null,
      }),
    );
  return { ...store, refund, log };
};

describe('a refund by the operator', () => {
  test('a refunded bundle’s products report that access was revoked', async () => {
    const { refund, get } = await shop({ subscriptions: [] });
    const access = async () => accessTo(aProduct({ id: 1 }), [aBundle()], await get('licenses').held(1), NOW);
    expect(await access()).toMatchObject({ granted: true, access_source: 'bundle' });
    await refund('5');
    expect(await access()).toEqual({ granted: false, reason: 'entitlement_revoked' });
  });

  test.each([
    '5',
    'QD-5',
    'id:5',
    'number:QD-5',
  ])('an order named %s is refunded with all its records', async (named) => {
    const { refund, get } = await shop();
    expect(done(await refund(named))).toMatchObject({ result: 'changed', order: { status: 'refunded' } });
    const held = await get('licenses').held(1);
    expect(held.entitlements).toMatchObject([{ revoked_at: NOW }]);
    expect(held.subscriptions).toMatchObject([
      { status: 'cancelled', ends_at: NOW, billing: { order_number: 'QD-5' } },
    ]);
    expect(await get('invoices').newest(1, { limit: 9 })).toMatchObject([{ status: 'refunded' }]);
  });

  test('the audit log records each record that the refund changed, and the actor', async () => {
    const { refund, log } = await shop();
    await refund('5');
    const told = await log();
    expect(told.map(({ action, subject_id }) => `${action} ${subject_id}`).sort()).toEqual([
      'entitlement.revoked 8',
      'invoice.changed 6',
      'order.refunded 5',
      'subscription.ended 9',
    ]);
    expect(told.every(({ by, account_id }) => by.id === 'kim' && account_id === 1)).toBe(true);
    expect(told.find(({ action }) => action === 'order.refunded')?.changes).toContainEqual({
      field: 'status',
      from: 'paid',
      to: 'refunded',
    });
  });

  test('a second refund changes nothing and says so', async () => {
    const { refund, entries, clock } = await shop();
    await refund('5');
    const before = await entries();
    clock.at = addDays(NOW, 3);
    expect(done(await refund('5'))).toMatchObject({ result: 'unchanged', amount_cents: 0 });
    expect(await entries()).toEqual(before);
  });

  test('a trial run reports what would change and writes nothing', async () => {
    const { refund, entries } = await shop();
    const before = await entries();
    expect(done(await refund('5', { trial: true }))).toMatchObject({
      result: 'changed',
      order: { status: 'refunded' },
    });
    expect(await entries()).toEqual(before);
  });

  test('an unknown order and an ambiguous order number are refused', async () => {
    const { refund, put } = await shop();
    expect(await refund('6')).toMatchObject({
      code: 'order_not_found',
      message: 'There is no order with the id or number 6.',
    });
    await put({ orders: [anOrder({ id: 12, number: '5' })] });
    expect(await refund('5')).toMatchObject({
      code: 'order_ambiguous',
      message: '5 is the id of one order and the number of another; name id:5 or number:5.',
    });
    expect(done(await refund('number:5')).order.id).toBe(12);
  });

  test('a simultaneous import does not restore an entitlement of the order', async () => {
    const { refund, get } = await shop();
    const late = anEntitlement({ id: 77, product_id: 1, source_product_id: 100, order_id: 5, order_item_id: 1 });
    await Promise.all([
      get('grants').saveEntitlement(permit, late),
      refund('5'),
      get('grants').saveEntitlement(permit, entitlement),
      get('billingRecords').saveOrder(permit, order),
    ]);
    expect((await get('orders').find(1, 5))?.status).toBe('refunded');
    const { entitlements } = await get('licenses').held(1);
    expect(entitlements.map(({ revoked_at }) => revoked_at)).toEqual([NOW, NOW]);
  });

  test('an order with more records than a transaction holds is refunded as a whole', async () => {
    const many = Array.from({ length: 120 }, (_, n) =>
      anEntitlement({ id: n + 100, product_id: 1, source_product_id: 100, order_id: 5, order_item_id: 1 }),
    );
    const { refund, get, log } = await shop({ entitlements: many });
    const refunded = done(await refund('5'));
    expect(refunded.changed.entitlements).toHaveLength(120);
    const { entitlements } = await get('licenses').held(1);
    expect(entitlements.filter(({ revoked_at }) => revoked_at === null)).toEqual([]);
    expect(await log()).toHaveLength(123);
  });

  test('a refund that was killed after its first records is finished by the same refund', async () => {
    const many = Array.from({ length: 120 }, (_, n) =>
      anEntitlement({ id: n + 100, product_id: 1, source_product_id: 100, order_id: 5, order_item_id: 1 }),
    );
    const store = await shop({ entitlements: many });
    const records = store.get('orderRecords');
    const read = await records.read(1, 5);
    if (!read) throw new Error('The order is there.');
    const tried = done(await store.refund('5', { trial: true }));
    expect(await records.refund(permit, tried.changed, read, [])).toBe(true);
    expect(await records.refund(permit, tried.changed, read, [])).toBe(false);
    store.clock.at = addDays(NOW, 1);
    expect(done(await store.refund('5'))).toMatchObject({ result: 'changed', amount_cents: 0 });
    const { entitlements } = await store.get('licenses').held(1);
    expect(new Set(entitlements.map(({ revoked_at }) => revoked_at))).toEqual(new Set([NOW]));
    expect((await store.get('orders').find(1, 5))?.refunds).toHaveLength(1);
  });
});
