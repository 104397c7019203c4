import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Fault } from '../../../domain/shared/fault.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { BILLED, entitlement, invoice, item, order, subscription } from '../../support/billing-entries.ts';
import { NOW } from '../../support/builders.ts';
import { aClock } from '../../support/fakes.ts';
import { done } from '../../support/outcomes.ts';
import { memoryService } from '../../support/service.ts';
import { accountEntry, aFolder, faultLines, importInto, productEntry } from '../../support/store-folder.ts';

const SOLD = {
  orders: [order()],
  invoices: [invoice()],
  payment_methods: [],
  entitlements: [entitlement()],
  subscriptions: [subscription({ billing: { ...BILLED.billing, payment_method_id: null } })],
};

const UNDONE = { ...SOLD, orders: [order({ refunds: [] })] };

let folder: string;
let service: Service;
let warned: string[];

const load = (account: object) =>
  importInto(
    service,
    folder,
    { products: [productEntry({ id: 1 })], accounts: [accountEntry({ id: 1, ...account })] },
    {
      warned: (warnings: readonly Fault[]) => {
        warned = warnings.map(({ path, message }) => `${path}: ${message}`);
      },
    },
  );

const refund = (keeps_access = false, item_ids: readonly number[] = []) =>
  service.get('refundOrder')(grantPermit(), { order: 'O-5', item_ids, keeps_access, reason: 'Broken', trial: false });

const states = async () => {
  const [held, [sold], [bill]] = await Promise.all([
    service.get('licenses').held(1),
    service.get('orders').ofAccount(1),
    service.get('invoices').newest(1, { limit: 1 }),
  ]);
  return {
    order: sold?.status,
    invoice: bill?.status,
    revoked: held.entitlements.map(({ revoked_at }) => revoked_at),
    ends: held.subscriptions.map(({ ends_at }) => ends_at),
  };
};

const REFUNDED = { order: 'refunded', invoice: 'refunded', revoked: [NOW], ends: [NOW] };

beforeEach(async () => {
  folder = await aFolder();
  service = memoryService({ clock: aClock() });
  warned = [];
  done(await load(SOLD));
  done(await refund());
});

describe('an import after a refund', () => {
  test('a document from before the refund does not undo it, and causes a warning by the order’s path', async () => {
    expect(await states()).toEqual(REFUNDED);
    const counts = done(await load(SOLD));
    expect(await states()).toEqual(REFUNDED);
    expect(counts).toMatchObject({
      orders: { unchanged: 1 },
      entitlements: { unchanged: 1 },
      invoices: { unchanged: 1 },
    });
    expect(warned).toEqual([
      'accounts.0.orders.0.status: order O-5 was refunded on 2026-11-21 and stays refunded; write that status here, or "refunds": [] to undo the refund',
    ]);
  });

  test('a document that shows the order as refunded causes no warning', async () => {
    done(await load({ ...SOLD, orders: [order({ status: 'refunded' })] }));
    expect([await states(), warned]).toEqual([REFUNDED, []]);
  });

  test('an empty list of refunds undoes the refund and restores everything', async () => {
    done(await load(UNDONE));
    expect(await states()).toEqual({ order: 'paid', invoice: 'paid', revoked: [null], ends: [null] });
    expect(warned).toEqual([
      'accounts.0.orders.0.refunds: order O-5 was refunded on 2026-11-21, and "refunds": [] undoes that; take the member out to keep the refund',
    ]);
    done(await load(UNDONE));
    expect(warned).toEqual([]);
  });

  test('an export made between two refunds undoes neither, and causes a warning', async () => {
    const clock = aClock();
    service = memoryService({ clock });
    const half = { quantity: 1, subtotal_cents: 500, discount_total_cents: 50, total_cents: 450 };
    const items = [item(half), item({ ...half, id: 2 })];
    const sold = {
      ...SOLD,
      subscriptions: [],
      entitlements: [entitlement(), entitlement({ id: 82, order_item_id: 2 })],
    };
    done(await load({ ...sold, orders: [order({ items })] }));
    done(await refund(false, [1]));
    const [between] = await service.get('orders').ofAccount(1);
    const exported = { ...sold, orders: [order({ items, status: between?.status, refunds: between?.refunds })] };
    clock.at = addDays(NOW, 1);
    done(await refund(false, [2]));
    done(await load(exported));
    expect(await states()).toMatchObject({ order: 'refunded', revoked: [NOW, addDays(NOW, 1)] });
    expect(warned).toEqual([
      'accounts.0.orders.0.status: order O-5 was refunded on 2026-11-22 and stays refunded; write that status here, or "refunds": [] to undo the refund',
    ]);
    expect(done(await load(exported))).toMatchObject({ orders: { unchanged: 1 } });
  });

  test('a new entitlement of the refunded order is revoked too', async () => {
    done(await load({ ...SOLD, entitlements: [entitlement(), entitlement({ id: 88 })] }));
    expect((await states()).revoked).toEqual([NOW, NOW]);
  });

  test('a document with refunds imports them into another store', async () => {
    const refunds = [{ refunded_at: NOW, item_ids: null, keeps_access: false, reason: 'Broken' }];
    service = memoryService({ clock: aClock() });
    done(await load({ ...SOLD, orders: [order({ status: 'refunded', refunds })] }));
    expect(await states()).toEqual(REFUNDED);
  });

  test('a refund that keeps access contradicts no imported document', async () => {
    done(await load(UNDONE));
    done(await refund(true));
    done(await load({ ...SOLD, orders: [order({ status: 'refunded' })] }));
    expect([await states(), warned]).toEqual([
      { order: 'refunded', invoice: 'refunded', revoked: [null], ends: [null] },
      [],
    ]);
  });

  test('refunds of unknown items are refused', async () => {
    const refunds = [{ refunded_at: NOW, item_ids: [1, 7] }];
    expect(faultLines(await load({ ...SOLD, orders: [order({ refunds })] }))).toEqual([
      'accounts.0.orders.0.refunds.0.item_ids.1: there is no item 7',
    ]);
  });
});
