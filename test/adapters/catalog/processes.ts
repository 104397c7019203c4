import { StoredCatalogs } from '../../../adapters/store/catalogs.ts';
import { allRecords } from '../../../adapters/store/records.ts';
import type { Partition, TypedTable } from '../../../adapters/store/typed-table.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Product } from '../../../domain/catalog/product.ts';
import { audited } from '../../support/audited.ts';
import { aProduct } from '../../support/builders.ts';
import { noPauses } from '../../support/fakes.ts';
import { type Called, faultyTable } from '../../support/faulty-table.ts';

/* Processes that share the catalog of one store, for the tests of this folder. */

export const AGE = 30_000;
export const permit = grantPermit();

/** A process's own catalog. */
export const aProcess = (table: TypedTable, age: number | 'unbounded' = AGE, tellFault = (_: unknown) => {}) =>
  new StoredCatalogs({ ...audited(table), pauses: noPauses, tellFault }, age);

/** Saves a product; its price identifies the save. */
export const save = (process: StoredCatalogs, id: number, unit_price_cents = 0, bytes = 0) =>
  process.save(permit, {
    kind: 'product',
    value: aProduct({ id, unit_price_cents, thumbnail_html: 'x'.repeat(bytes) }),
  });

/** The prices of all products in a process's catalog. */
export const prices = async (process: StoredCatalogs): Promise<Record<number, number>> =>
  Object.fromEntries([...(await process.current()).products].map(([id, product]) => [id, product.unit_price_cents]));

/** The prices in the records themselves. */
export const storedPrices = async (table: TypedTable): Promise<Record<number, number>> => {
  const records = await allRecords(table, { pk: 'CATALOG', prefix: 'PRODUCT#' } as Partition<Product>);
  return Object.fromEntries(records.map(({ id, unit_price_cents }) => [id, unit_price_cents]));
};

/** A table that records its calls: their names and partitions. */
export const watchedTable = (table: TypedTable) => {
  const calls: string[] = [];
  const told = ({ name, keys }: Called): string =>
    `${name} ${keys.map(({ pk }) => pk.replace(/^(EDITION#\w+)#.*/, '$1#…')).join()}`;
  const watched = faultyTable(table, (call) => {
    calls.push(told(call));
    return false;
  });
  const callsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    calls.length = 0;
    await work();
    return [...calls];
  };
  return { table: watched, callsOf };
};
