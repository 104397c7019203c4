import { beforeEach, describe, expect, test } from 'vitest';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import {
  BILLED,
  entitlement,
  importAccounts,
  invoice,
  order,
  subscription,
  WHOLE,
} from '../../support/billing-entries.ts';
import { memoryService } from '../../support/service.ts';
import { aFolder, faultLines } from '../../support/store-folder.ts';

let folder: string;
let service: Service;

beforeEach(async () => {
  folder = await aFolder();
  service = memoryService();
});

const load = (...accounts: object[]) => importAccounts(service, folder, ...accounts);

const faultsOf = async (...accounts: object[]): Promise<string[]> => {
  const outcome = await load(...accounts);
  return outcome.ok ? [] : faultLines(outcome).map((line) => line.replaceAll('accounts.0.', ''));
};

describe('an import of billing records', () => {
  test('an import stores and counts billing records and changes nothing the second time', async () => {
    const created = { created: 1, updated: 0, unchanged: 0 };
    const unchanged = { created: 0, updated: 0, unchanged: 1 };
    const sections = (saved: object) => ({
      orders: saved,
      invoices: saved,
      payment_methods: saved,
      entitlements: saved,
      subscriptions: saved,
    });
    expect(await load(WHOLE)).toMatchObject({ ok: true, value: sections(created) });
    expect(await load(WHOLE)).toMatchObject({ ok: true, value: sections(unchanged) });
    expect(await service.get('orders').ofAccount(1)).toMatchObject([{ id: 5, account_id: 1, items: [{ id: 1 }] }]);
    expect(await service.get('invoices').newest(1, { limit: 9 })).toMatchObject([{ id: 6, account_id: 1 }]);
    expect(await service.get('paymentMethods').ofAccount(1)).toMatchObject([{ id: 7, is_default: false }]);
  });

  test('an import takes the order number of a subscription from the document or the store', async () => {
    const numberOf = async () => (await service.get('licenses').held(1, [])).subscriptions[0]?.billing?.order_number;
    await load(WHOLE);
    expect(await numberOf()).toBe('O-5');
    expect(await load({ subscriptions: [subscription(BILLED)] })).toMatchObject({
      value: { subscriptions: { unchanged: 1 } },
    });
    expect(await numberOf()).toBe('O-5');
  });

  test('an import accepts references to billing records in the store', async () => {
    await load(WHOLE);
    const more = { entitlements: [entitlement()], invoices: [invoice({ id: 61, number: 'I-61' })] };
    expect(await faultsOf({ ...more, subscriptions: [subscription(BILLED)] })).toEqual([]);
  });

  test('an import never changes an order number, and refuses one that is taken', async () => {
    await load(WHOLE);
    expect(await faultsOf({ orders: [order({ number: 'O-6' })] })).toEqual([
      'orders.0.number: order 5 has the number O-5',
    ]);
    expect(await faultsOf({ orders: [order({ id: 6 })] })).toEqual([
      'orders.0.number: O-5 is the number of order 5 of account 1',
    ]);
    expect(await faultsOf({ orders: [order({ status: 'refunded' })] })).toEqual([]);
  });
});
