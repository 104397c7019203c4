import { beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../../domain/shared/fault.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { entitlement, order, SINCE, subscription } from '../../support/billing-entries.ts';
import { memoryService } from '../../support/service.ts';
import { accountEntry, aFolder, faultLines, importInto, productEntry } from '../../support/store-folder.ts';

let folder: string;
let service: Service;
let warned: string[];

beforeEach(async () => {
  folder = await aFolder();
  service = memoryService();
  warned = [];
});

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

const LIVE = 'and entitlement 8 still gives access; set its revoked_at, unless the buyer may use the product';

describe('an import of contradictory records', () => {
  test('an entitlement of a refunded order is imported with a warning by its path', async () => {
    const loaded = await load({ orders: [order({ status: 'refunded' })], entitlements: [entitlement()] });
    expect(loaded).toMatchObject({ ok: true, value: { entitlements: { created: 1 } } });
    expect(warned).toEqual([`accounts.0.entitlements.0.revoked_at: order O-5 is refunded, ${LIVE}`]);
  });

  test('the refund of an order with a stored entitlement causes a warning by the order’s path', async () => {
    await load({ orders: [order()], entitlements: [entitlement()] });
    expect(warned).toEqual([]);
    await load({ orders: [order({ status: 'refunded' })] });
    expect(warned).toEqual([`accounts.0.orders.0.status: order O-5 is refunded, ${LIVE}`]);
    await load({ orders: [order({ status: 'refunded' })], entitlements: [entitlement({ revoked_at: SINCE })] });
    expect(warned).toEqual([]);
  });

  test('an entitlement of a stored, withdrawn order causes a warning', async () => {
    await load({ orders: [order({ status: 'withdrawn' })] });
    await load({ entitlements: [entitlement()] });
    expect(warned).toEqual([`accounts.0.entitlements.0.revoked_at: order O-5 is withdrawn, ${LIVE}`]);
  });

  test('impossible dates are refused by their paths, and nothing is written', async () => {
    const loaded = await load({
      orders: [order()],
      entitlements: [entitlement({ access_expires_at: '2026-01-04T00:00:00Z' })],
      subscriptions: [
        subscription({ status: 'expired', ends_at: '2999-01-01T00:00:00Z' }),
        subscription({ id: 10, ends_at: '2026-02-01T00:00:00Z', billing: { trial_ends_at: '2026-02-02T00:00:00Z' } }),
      ],
    });
    expect(faultLines(loaded)).toEqual([
      'accounts.0.entitlements.0.access_expires_at: must not lie before granted_at',
      'accounts.0.subscriptions.0.ends_at: lies in the future, so the subscription gives access and cannot be expired; set the end that it had, or another status',
      'accounts.0.subscriptions.1.billing.trial_ends_at: must not lie after ends_at',
    ]);
    expect(await service.get('orders').ofAccount(1)).toEqual([]);
  });
});
