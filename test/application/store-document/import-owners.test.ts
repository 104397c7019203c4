import { beforeEach, describe, expect, test } from 'vitest';
import { billingKeys } from '../../../adapters/store/keys/billing.ts';
import { itemOf } from '../../../adapters/store/records.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { card, entitlement, invoice, order, subscription, WHOLE } from '../../support/billing-entries.ts';
import { anOrder } from '../../support/builders.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { memoryService } from '../../support/service.ts';
import { accountEntry, aFolder, faultLines, importInto, productEntry } from '../../support/store-folder.ts';

let folder: string;
let service: Service;

beforeEach(async () => {
  folder = await aFolder();
  service = memoryService();
});

const PRODUCTS = [productEntry({ id: 1 }), productEntry({ id: 2 })];

const loadAs = (account_id: number, account: object, into = service) =>
  importInto(into, folder, { products: PRODUCTS, accounts: [accountEntry({ id: account_id, ...account })] });

const faultsAs = async (account_id: number, account: object): Promise<string[]> => {
  const outcome = await loadAs(account_id, account);
  return outcome.ok ? [] : faultLines(outcome).map((line) => line.replaceAll('accounts.0.', ''));
};

describe('an import of another account’s records', () => {
  test('an import of another account’s orders is refused with the path of each id and number', async () => {
    await loadAs(1, WHOLE);
    expect(await faultsAs(2, { orders: [order()] })).toEqual([
      'orders.0.id: order 5 belongs to account 1; give this one an id of its own',
      'orders.0.number: O-5 is the number of order 5 of account 1',
    ]);
    expect(await faultsAs(2, { orders: [order({ id: 55 })] })).toEqual([
      'orders.0.number: O-5 is the number of order 5 of account 1',
    ]);
    expect(await service.get('orders').ofAccount(2)).toEqual([]);
  });

  test('an import of another account’s invoice is refused, and ids of other records count within their account', async () => {
    await loadAs(1, WHOLE);
    const theirs = {
      orders: [order({ id: 50, number: 'O-50' })],
      invoices: [invoice({ order_id: 50 })],
      payment_methods: [card()],
      entitlements: [entitlement({ order_id: 50 })],
      subscriptions: [subscription()],
    };
    expect(await faultsAs(2, theirs)).toEqual([
      'invoices.0.id: invoice 6 belongs to account 1; give this one an id of its own',
      'invoices.0.number: I-6 is the number of invoice 6 of account 1',
    ]);
    expect(await faultsAs(2, { ...theirs, invoices: [] })).toEqual([]);
  });

  test('an invoice is refused for the number of another invoice of the same account', async () => {
    await loadAs(1, WHOLE);
    expect(await faultsAs(1, { invoices: [invoice({ id: 66 })] })).toEqual([
      'invoices.0.number: I-6 is the number of invoice 6 of account 1',
    ]);
  });

  test('of two simultaneous imports for two accounts, only one gets the order', async () => {
    const shared = memoryEngines();
    const [one, other] = [memoryService({}, shared), memoryService({}, shared)];
    const both = await Promise.allSettled([
      loadAs(1, { orders: [order()] }, one),
      loadAs(2, { orders: [order()] }, other),
    ]);
    const won = both.filter((result) => result.status === 'fulfilled' && result.value.ok);
    expect(won).toHaveLength(1);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: expect.stringMatching(/^Another import has given .*run the import again\.$/) },
    });
    const kept = await Promise.all([1, 2].map((id) => one.get('orders').ofAccount(id)));
    expect(kept.flat()).toHaveLength(1);
  });

  test('an order from before owners were stored is protected after its next import', async () => {
    const shared = memoryEngines();
    const into = memoryService({}, shared);
    await loadAs(1, { orders: [order()] }, into);
    const [stored = anOrder()] = await into.get('orders').ofAccount(1);
    const before = memoryEngines();
    await before.table.put(itemOf(billingKeys.order(1, 5), stored));
    service = memoryService({}, before);
    expect(await loadAs(1, { orders: [order()] })).toMatchObject({ value: { orders: { unchanged: 1 } } });
    expect(await faultsAs(2, { orders: [order()] })).toHaveLength(2);
  });
});
