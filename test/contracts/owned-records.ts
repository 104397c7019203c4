import { beforeEach, describe, expect, test } from 'vitest';
import { StoredBillingRecords, StoredInvoices, StoredOrders } from '../../adapters/store/billing.ts';
import { billingKeys } from '../../adapters/store/keys/billing.ts';
import { StoredRecordOwners } from '../../adapters/store/owned-records.ts';
import { itemOf } from '../../adapters/store/records.ts';
import type { Table } from '../../adapters/store/table.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Claim } from '../../domain/billing/record-owner.ts';
import { audited } from '../support/audited.ts';
import { anInvoice, anOrder } from '../support/builders.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

/** The order by its id and by its number. */
const CLAIMS: readonly Claim[] = [
  { kind: 'order', id: 5 },
  { kind: 'order', number: 'O-5' },
];

/**
 * Registers the tests of records with store-wide unique ids and numbers. `open` returns an empty table; it is called
 * before each test.
 */
export const ownedRecordsContract = (
  name: string,
  open: () => Promise<Table> | Table,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`records with owners on ${name}`, { timeout }, () => {
    let table: Table;
    let records: StoredBillingRecords;
    let owners: StoredRecordOwners;
    beforeEach(async () => {
      table = await open();
      records = new StoredBillingRecords(audited(table));
      owners = new StoredRecordOwners(table);
    }, timeout);

    const anOwnOrder = (account_id: number, more = {}) => anOrder({ id: 5, number: 'O-5', account_id, ...more });
    const ordersOf = (account_id: number) => new StoredOrders(table).ofAccount(account_id);

    test('an order is linked to its account by its id and by its number', async () => {
      expect(await owners.of(CLAIMS)).toEqual([undefined, undefined]);
      expect(await records.saveOrder(grantPermit(), anOwnOrder(1))).toBe('created');
      expect(await owners.of(CLAIMS)).toEqual([
        { account_id: 1, id: 5 },
        { account_id: 1, id: 5 },
      ]);
    });

    test('the same order again changes nothing, and a changed one is updated', async () => {
      await records.saveOrder(grantPermit(), anOwnOrder(1));
      expect(await records.saveOrder(grantPermit(), anOwnOrder(1))).toBe('unchanged');
      expect(await records.saveOrder(grantPermit(), anOwnOrder(1, { status: 'refunded' }))).toBe('updated');
    });

    test('another account gets neither the id nor the number of an order', async () => {
      await records.saveOrder(grantPermit(), anOwnOrder(1));
      expect(await records.saveOrder(grantPermit(), anOwnOrder(2, { number: 'O-6' }))).toBe('taken');
      expect(await records.saveOrder(grantPermit(), anOwnOrder(2, { id: 6 }))).toBe('taken');
      expect(await records.saveOrder(grantPermit(), anOwnOrder(1, { id: 6 }))).toBe('taken');
      expect([await ordersOf(1), await ordersOf(2)]).toMatchObject([[{ id: 5 }], []]);
    });

    test('of twenty accounts that simultaneously save an order with one id and number, one gets it', async () => {
      const all = Array.from({ length: 20 }, (_, n) => n + 1);
      const saved = await Promise.all(all.map((account) => records.saveOrder(grantPermit(), anOwnOrder(account))));
      expect(saved.filter((one) => one === 'created')).toHaveLength(1);
      expect(saved.filter((one) => one === 'taken')).toHaveLength(19);
      expect((await Promise.all(all.map(ordersOf))).flat()).toHaveLength(1);
    });

    test('the same order saved twenty times at once is stored once', async () => {
      const saved = await Promise.all(
        Array.from({ length: 20 }, () => records.saveOrder(grantPermit(), anOwnOrder(1))),
      );
      expect(saved.filter((one) => one === 'created')).toHaveLength(1);
      expect(saved.filter((one) => one === 'unchanged')).toHaveLength(19);
    });

    test('an invoice that gets another number frees its former one', async () => {
      await records.saveInvoice(grantPermit(), anInvoice({ id: 7, account_id: 1, number: 'I-7' }));
      expect(await records.saveInvoice(grantPermit(), anInvoice({ id: 7, account_id: 1, number: 'I-8' }))).toBe(
        'updated',
      );
      expect(await records.saveInvoice(grantPermit(), anInvoice({ id: 9, account_id: 2, number: 'I-8' }))).toBe(
        'taken',
      );
      expect(await records.saveInvoice(grantPermit(), anInvoice({ id: 9, account_id: 2, number: 'I-7' }))).toBe(
        'created',
      );
      expect(await new StoredInvoices(table).newest(2, { limit: 9 })).toMatchObject([{ id: 9, number: 'I-7' }]);
    });

    test('an order from before owners were stored gets its owner when it is saved again', async () => {
      const order = anOwnOrder(1);
      await table.put(itemOf(billingKeys.order(1, 5), order));
      expect(await owners.of(CLAIMS)).toEqual([undefined, undefined]);
      expect(await records.saveOrder(grantPermit(), order)).toBe('unchanged');
      expect(await owners.of(CLAIMS)).toMatchObject([{ account_id: 1 }, { account_id: 1 }]);
      expect(await records.saveOrder(grantPermit(), anOwnOrder(2))).toBe('taken');
    });

    test('owners are found for more ids than one call of the store accepts', async () => {
      await records.saveOrder(grantPermit(), anOwnOrder(1));
      const many = Array.from({ length: 250 }, (_, n): Claim => ({ kind: 'order', id: (n % 240) + 1 }));
      const found = await owners.of(many);
      expect(found.map((owner) => owner?.account_id)).toEqual(
        many.map((_, n) => (n === 4 || n === 244 ? 1 : undefined)),
      );
    });
  });
};
