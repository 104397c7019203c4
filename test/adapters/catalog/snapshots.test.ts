import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import type { StoredCatalogs } from '../../../adapters/store/catalogs.ts';
import { editionKeys, type Snapshot } from '../../../adapters/store/keys/editions.ts';
import { changedAfter } from '../../../adapters/store/partition-copy.ts';
import { itemOf } from '../../../adapters/store/records.ts';
import type { TypedTable } from '../../../adapters/store/typed-table.ts';
import { aProduct } from '../../support/builders.ts';
import { faultyTable } from '../../support/faulty-table.ts';
import { aProcess, permit, prices, save, storedPrices, watchedTable } from './processes.ts';

/** 91 characters that JSON does not escape. */
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
  const snapshot = async () => (await store.get(editionKeys.snapshot('CATALOG')))?.data as Snapshot;
  const chunksOf = async (): Promise<string[]> => (await snapshot()).chunks.map(({ name }) => name);
  const change = async (writer: StoredCatalogs): Promise<void> => {
    for (let n = 2; n <= 49; n++) await save(writer, 7, n, 10_000);
  };
  /** Leaves the snapshot with a mark that is no longer in the edition. */
  const makeStale = async (): Promise<void> => {
    await store.put(itemOf(editionKeys.snapshot('CATALOG'), { ...(await snapshot()), mark: 'gone' }));
  };

  test('a process starts from the snapshot with two sequential calls, without the partition', async () => {
    await fill(aProcess(store));
    expect((await chunksOf()).length).toBeGreaterThan(4);
    const { table, callsOf } = watchedTable(store);
    const reader = aProcess(table);
    const read = await callsOf(() => reader.current());
    expect(read[0]).toBe('getMany EDITION#CATALOG,EDITION#CATALOG');
    expect(read.slice(1).every((call) => /^getMany (EDITION#CATALOG#…|CATALOG)/.test(call))).toBe(true);
    expect(read.length).toBeLessThanOrEqual(3);
    expect(Object.keys(await prices(reader))).toHaveLength(200);
  });

  test('the snapshot is renewed after 48 changes, by writing only the changed records', async () => {
    const { table, callsOf } = watchedTable(store);
    const writer = aProcess(table);
    await fill(writer);
    await change(writer);
    const before = await chunksOf();
    const written = await callsOf(() => change(writer));
    expect(written.filter((call) => call.startsWith('put'))).toEqual(['put EDITION#CATALOG#…', 'put EDITION#CATALOG']);
    expect(await chunksOf()).toEqual([...before, expect.any(String)]);
    expect(await prices(aProcess(store))).toMatchObject({ 6: 1, 7: 49, 8: 1 });
  });

  test('the snapshot is rewritten and its old chunks removed before it has more than 64 chunks of changes', async () => {
    const writer = aProcess(store);
    await fill(writer);
    let [before, after] = [await chunksOf(), await chunksOf()];
    for (let n = 0; n < 65 && after.length >= before.length; n++) {
      before = after;
      await change(writer);
      after = await chunksOf();
    }
    expect(before.length).toBeGreaterThan(60);
    expect(after.length).toBeLessThan(12);
    const left = await store.getMany(before.map((name) => editionKeys.chunk('CATALOG', name)));
    expect(left.filter((chunk) => chunk)).toEqual([]);
    expect(await prices(aProcess(store))).toEqual(await storedPrices(store));
  });

  test('a snapshot that the edition no longer knows is replaced, and until then costs no change', async () => {
    const writer = aProcess(store);
    await fill(writer);
    await makeStale();
    const old = (await chunksOf()).map((name) => editionKeys.chunk('CATALOG', name));
    expect(await prices(aProcess(store))).toEqual(await storedPrices(store));
    await save(aProcess(store), 7, 5, 10_000);
    expect((await store.getMany(old)).filter((chunk) => chunk)).toEqual([]);
    const reader = watchedTable(store);
    expect((await reader.callsOf(() => aProcess(reader.table).current())).join()).not.toContain('query');
    expect(await prices(aProcess(store))).toEqual(await storedPrices(store));
  });

  test('a record too large for a chunk is left out of the snapshot', async () => {
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
    ['changes', 0],
    ['changes', 1],
    ...[0, 1, 4, 7, 8, 9, 10, 14].map((done) => ['all records', done] as const),
  ] as const)('a writer of %s that dies after %i writes harms nobody, and the next save writes a complete snapshot', async (what, done) => {
    await fill(aProcess(store));
    if (what === 'all records') await makeStale();
    let writes = 0;
    const dying = aProcess(
      faultyTable(store, ({ name, keys }) => {
        const isOfSnapshot = name !== 'get' && name !== 'getMany' && keys.every(({ pk }) => pk.startsWith('EDITION#'));
        return isOfSnapshot && ++writes > done;
      }),
    );
    // Changes are written after 48 of them, all records at once.
    for (let id = 1; id <= (what === 'changes' ? 60 : 6); id++) await save(dying, id, 2, 10_000);
    expect(writes).toBeGreaterThan(done);
    expect(await prices(aProcess(store))).toEqual(await storedPrices(store));
    const mender = aProcess(store);
    for (let n = 0; n < 48; n++) await save(mender, 1, 10 + n, 10_000);
    const edition = await store.get(editionKeys.edition('CATALOG'));
    expect(edition && changedAfter(edition.data, (await snapshot()).mark)?.length).toBeLessThan(48);
    expect(await prices(aProcess(store))).toEqual(await storedPrices(store));
  });
});
