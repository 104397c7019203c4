import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import type { StoredCatalogs } from '../../../adapters/store/catalogs.ts';
import { editionKeys } from '../../../adapters/store/keys/editions.ts';
import type { TypedTable } from '../../../adapters/store/typed-table.ts';
import { aProduct } from '../../support/builders.ts';
import { faultyTable } from '../../support/faulty-table.ts';
import { aProcess, permit, prices, save, storedPrices, watchedTable } from './processes.ts';

/** 91 characters that JSON writes as they are. */
const LETTERS = Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n))
  .join('')
  .replace(/["\\/]/g, '');

let store: TypedTable;

beforeEach(() => {
  store = new MemoryTable();
});

describe('the snapshot of the catalog', () => {
  /** About 2 MB, in eight chunks. */
  const fill = async (writer: StoredCatalogs): Promise<void> => {
    for (let id = 1; id <= 200; id++) await save(writer, id, 1, 10_000);
  };
  const chunks = async (): Promise<number> =>
    (await store.get(editionKeys.snapshot('CATALOG')))?.data.chunks.length ?? 0;

  test('lets a process start with two calls, one after the other, and without the partition', async () => {
    await fill(aProcess(store));
    expect(await chunks()).toBeGreaterThan(4);
    const { table, callsOf } = watchedTable(store);
    const reader = aProcess(table);
    const read = await callsOf(() => reader.current());
    expect(read[0]).toBe('getMany EDITION#CATALOG,EDITION#CATALOG');
    expect(read.slice(1).every((call) => /^getMany (EDITION#CATALOG#…|CATALOG)/.test(call))).toBe(true);
    expect(read.length).toBeLessThanOrEqual(3);
    expect(Object.keys(await prices(reader))).toHaveLength(200);
  });

  test('is renewed after 48 changes, by writing the chunks of the changed records alone', async () => {
    const { table, callsOf } = watchedTable(store);
    const writer = aProcess(table);
    await fill(writer);
    const change = async (): Promise<void> => {
      for (let n = 2; n <= 49; n++) await save(writer, 7, n, 10_000);
    };
    await change();
    const written = await callsOf(change);
    expect(written.filter((call) => call.startsWith('put'))).toEqual(['put EDITION#CATALOG#…']);
    expect(await prices(aProcess(store))).toMatchObject({ 6: 1, 7: 49, 8: 1 });
  });

  test('leaves a record to itself that no chunk can take', async () => {
    const writer = aProcess(store);
    await fill(writer);
    const noise = Array.from(randomBytes(390_000), (byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
    const product = aProduct({ id: 8, thumbnail_html: noise });
    for (let n = 1; n <= 48; n++)
      await writer.save(permit, { kind: 'product', value: { ...product, unit_price_cents: n } });
    expect((await aProcess(store).current()).products.get(8)).toEqual({ ...product, unit_price_cents: 48 });
    expect(await prices(aProcess(store))).toMatchObject({ 7: 1, 8: 48, 9: 1 });
  });

  test.each([
    0, 1, 2, 3, 4, 5,
  ])('harms nobody where a writer dies with %i writes of it done, and the next save makes a whole one', async (done) => {
    await fill(aProcess(store));
    let writes = 0;
    const dying = aProcess(
      faultyTable(store, ({ name, keys }) => {
        const isOfSnapshot = name !== 'get' && name !== 'getMany' && keys.every(({ pk }) => pk.startsWith('EDITION#'));
        return isOfSnapshot && ++writes > done;
      }),
    );
    for (let id = 1; id <= 60; id++) await save(dying, id, 2, 10_000);
    expect(writes).toBeGreaterThan(done);
    expect(await prices(aProcess(store))).toEqual(await storedPrices(store));
    const mender = aProcess(store);
    for (let n = 0; n < 48; n++) await save(mender, 1, 10 + n, 10_000);
    const edition = await store.get(editionKeys.edition('CATALOG'));
    const snapshot = await store.get(editionKeys.snapshot('CATALOG'));
    expect(snapshot?.data.packed).toBe(edition?.data.packed);
    expect(await prices(aProcess(store))).toEqual(await storedPrices(store));
  });
});
