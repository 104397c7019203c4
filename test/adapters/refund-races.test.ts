import { describe, expect, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoredBillingRecords, StoredInvoices, StoredOrders } from '../../adapters/store/billing.ts';
import { billingKeys } from '../../adapters/store/keys/billing.ts';
import { StoredLicenses } from '../../adapters/store/licenses.ts';
import { StoredOrderRecords } from '../../adapters/store/order-records.ts';
import { StoredRecordOwners } from '../../adapters/store/owned-records.ts';
import type { Table } from '../../adapters/store/table.ts';
import { findOrder, refundOrder } from '../../application/billing/shop-orders.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { refundEffect } from '../../domain/billing/refund.ts';
import { audited } from '../support/audited.ts';
import { beforeCall } from '../support/before-call.ts';
import { aBill, anEntitlement, anInvoice, anOrder, aSubscription, NOW } from '../support/builders.ts';
import { aClock, noPauses } from '../support/fakes.ts';
import { done } from '../support/outcomes.ts';
import { newFile, open } from './sqlite/folder.ts';

const permit = grantPermit();
const order = anOrder({ id: 5 });

/** A table on which `meanwhile` runs once, right after the first read of the order. */
const interrupted = (table: Table, meanwhile: () => Promise<void>): Table => {
  const { sk } = billingKeys.order(order.account_id, order.id);
  let isDone = false;
  return new Proxy(table, {
    get: (target, name) => {
      const member = Reflect.get(target, name);
      if (name !== 'get') return typeof member === 'function' ? member.bind(target) : member;
      return async (...args: Parameters<Table['get']>) => {
        const item = await target.get(...args);
        if (args[0].sk === sk && !isDone) {
          isDone = true;
          await meanwhile();
        }
        return item;
      };
    },
  });
};

const refundOn = async (table: Table): Promise<void> => {
  const records = new StoredOrderRecords(audited(table));
  const read = await records.read(order.account_id, order.id);
  if (!read) throw new Error('The order is there.');
  const { changed } = done(refundEffect(read, { item_ids: [], keeps_access: false, reason: null }, NOW));
  expect(await records.refund(permit, changed, read, [])).toBe(true);
};

describe.each([
  ['MemoryTable', async (): Promise<Table> => new MemoryTable()],
  ['SqliteTable', async (): Promise<Table> => open(newFile())],
])('a write that began before a refund on %s', (_, makeTable) => {
  const shop = async () => {
    const table = await makeTable();
    await new StoredBillingRecords(audited(table)).saveOrder(permit, order);
    return { table, late: audited(interrupted(table, () => refundOn(table))) };
  };

  test('an entitlement of a refunded order is stored as revoked', async () => {
    const { table, late } = await shop();
    await new StoredLicenses(late).saveEntitlement(permit, anEntitlement({ order_id: 5, order_item_id: 1 }));
    const { entitlements } = await new StoredLicenses(audited(table)).held(1);
    expect(entitlements).toMatchObject([{ revoked_at: NOW }]);
  });

  test('a subscription of a refunded order is stored as ended', async () => {
    const { table, late } = await shop();
    await new StoredLicenses(late).saveSubscription(permit, aSubscription({ billing: aBill({ order_id: 5 }) }));
    const { subscriptions } = await new StoredLicenses(audited(table)).held(1);
    expect(subscriptions).toMatchObject([{ status: 'cancelled', ends_at: NOW }]);
  });

  test('an invoice of a refunded order is stored as refunded', async () => {
    const { table, late } = await shop();
    await new StoredBillingRecords(late).saveInvoice(permit, anInvoice({ order_id: 5 }));
    expect(await new StoredInvoices(table).newest(1, { limit: 1 })).toMatchObject([{ status: 'refunded' }]);
  });

  test('a refunded order keeps its refund', async () => {
    const { table, late } = await shop();
    await new StoredBillingRecords(late).saveOrder(permit, { ...order, receipt_url: 'https://example.com/1' });
    expect(await new StoredOrders(table).ofAccount(1)).toMatchObject([
      { status: 'refunded', receipt_url: 'https://example.com/1', refunds: [{ refunded_at: NOW }] },
    ]);
  });

  test('a refund whose records changed since they were read writes nothing', async () => {
    const { table } = await shop();
    const records = new StoredOrderRecords(audited(table));
    const licenses = new StoredLicenses(audited(table));
    await licenses.saveEntitlement(permit, anEntitlement({ order_id: 5, order_item_id: 1 }));
    const read = await records.read(1, 5);
    if (!read) throw new Error('The order is there.');
    await licenses.saveEntitlement(permit, anEntitlement({ order_id: 5, order_item_id: 1, device_limit: 9 }));
    const { changed } = done(refundEffect(read, { item_ids: [], keeps_access: false, reason: null }, NOW));
    expect(await records.refund(permit, changed, read, [])).toBe(false);
    expect((await new StoredOrders(table).ofAccount(1))[0]?.status).toBe('paid');
  });
});

describe.each([
  ['MemoryTable', async (): Promise<Table> => new MemoryTable()],
  ['SqliteTable', async (): Promise<Table> => open(newFile())],
])('a refund that began before a write on %s', (_, makeTable) => {
  const shop = async () => {
    const table = await makeTable();
    await new StoredBillingRecords(audited(table)).saveOrder(permit, order);
    const refund = (meanwhile: () => Promise<unknown>) =>
      refundOrder({
        findOrder: findOrder({ recordOwners: new StoredRecordOwners(table) }),
        orderRecords: new StoredOrderRecords(audited(beforeCall(table, ['transact'], meanwhile))),
        clock: aClock(),
        pauses: noPauses,
      })(permit, { order: '5', item_ids: [], keeps_access: false, reason: null });
    return { table, licenses: new StoredLicenses(audited(table)), refund };
  };

  test('an entitlement that passes only the order’s check is revoked, and the refund reports it', async () => {
    const { licenses, refund } = await shop();
    const grant = () => licenses.saveEntitlement(permit, anEntitlement({ id: 77, order_id: 5, order_item_id: 1 }));
    expect(done(await refund(grant))).toMatchObject({
      result: 'changed',
      amount_cents: order.total_cents,
      changed: { order: { status: 'refunded' }, entitlements: [{ id: 77, revoked_at: NOW }] },
    });
    expect((await licenses.held(1)).entitlements).toMatchObject([{ revoked_at: NOW }]);
  });

  test('a subscription that the order began is ended', async () => {
    const { licenses, refund } = await shop();
    await refund(() => licenses.saveSubscription(permit, aSubscription({ billing: aBill({ order_id: 5 }) })));
    expect((await licenses.held(1)).subscriptions).toMatchObject([{ status: 'cancelled', ends_at: NOW }]);
  });

  test('an invoice of the order is refunded', async () => {
    const { table, refund } = await shop();
    await refund(() => new StoredBillingRecords(audited(table)).saveInvoice(permit, anInvoice({ order_id: 5 })));
    expect(await new StoredInvoices(table).newest(1, { limit: 1 })).toMatchObject([{ status: 'refunded' }]);
  });
});
