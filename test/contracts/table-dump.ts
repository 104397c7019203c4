import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Table } from '../../adapters/store/table.ts';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import type { Entry, EntryPage, TableDump } from '../../adapters/store/table-dump.ts';
import { type ContractOptions, TIMEOUT, WrittenItems } from './clean.ts';
import { fill, newKey, newPk, stored, VARIANTS } from './table/helpers.ts';

/** A table and its dump, which are often the same object. */
export type OpenedDump = { readonly table: Table; readonly dump: TableDump };

const NOW = 1_900_000_000;
const LATER = NOW + 1000;

/** Far more pages than any table shared by tests should have. */
const MOST_PAGES = 2000;

export type TableDumpContractOptions = ContractOptions & {
  /**
   * Opens a table and its dump with an unreachable store. Null for an engine in the process's memory, which has no
   * outages.
   */
  readonly outage: (() => Promise<OpenedDump> | OpenedDump) | null;
};

/**
 * Registers the tests that an engine must pass to be migrated and backed up; call it at the top of a Vitest file. It
 * also tests the expiry of counters, which only a dump shows. The table is opened once and closed at the end. It may
 * have other data, because every test reads only its own partitions. Nobody else may write to it during the tests.
 * After each test its items are removed. Its counters, which no call removes, expire.
 */
export const tableDumpContract = (
  name: string,
  open: () => Promise<OpenedDump> | OpenedDump,
  { outage, timeout = TIMEOUT }: TableDumpContractOptions,
): void => {
  describe(`${name} as a table dump`, { timeout }, () => {
    const written = new WrittenItems();
    let table: Table;
    let dump: TableDump;

    beforeAll(async () => {
      const opened = await open();
      [table, dump] = [written.watch(opened.table), written.watch(opened.dump)];
    }, timeout);
    afterEach(() => written.removeFrom(table), timeout);
    afterAll(() => table.close(), timeout);

    const pages = async (liveAt = NOW): Promise<EntryPage[]> => {
      const found: EntryPage[] = [];
      for (let after: string | undefined; found.length === 0 || after !== undefined; after = found.at(-1)?.next) {
        if (found.length === MOST_PAGES) throw new Error(`There are more than ${MOST_PAGES} pages.`);
        found.push(await dump.dump(liveAt, after));
      }
      return found;
    };
    const ofPartition = (found: readonly EntryPage[], pk: string): Entry[] =>
      found
        .flatMap(({ entries }) => entries)
        .filter((entry) => entry.pk === pk)
        .sort((a, b) => (a.sk < b.sk ? -1 : 1));
    const dumped = async (pk: string, liveAt?: number): Promise<Entry[]> => ofPartition(await pages(liveAt), pk);

    test('a dump gives items and counters unchanged, with their expiry and without their version', async () => {
      const pk = newPk();
      await table.put({ pk, sk: 'a', data: { deep: { list: [1, null, 'é', { n: 0.1 }] }, empty: {} } });
      await table.put({ pk, sk: 'b', data: {}, expires_at: LATER });
      await table.increment({ pk, sk: 'c' }, 41);
      await table.increment({ pk, sk: 'd' }, -7, { expires_at: LATER, volatile: true });
      expect(await dumped(pk)).toEqual([
        { pk, sk: 'a', data: { deep: { list: [1, null, 'é', { n: 0.1 }] }, empty: {} } },
        { pk, sk: 'b', data: {}, expires_at: LATER },
        { pk, sk: 'c', counter: 41 },
        { pk, sk: 'd', counter: -7, expires_at: LATER },
      ]);
    });

    test('a dump leaves out expired entries and includes those that expire in the same second', async () => {
      const pk = newPk();
      await table.put({ pk, sk: 'a', data: {}, expires_at: LATER - 1 });
      await table.put({ pk, sk: 'b', data: {}, expires_at: LATER });
      await table.increment({ pk, sk: 'c' }, 1, { expires_at: LATER - 1 });
      await table.increment({ pk, sk: 'd' }, 1, { expires_at: LATER });
      expect((await dumped(pk, LATER)).map(({ sk }) => sk)).toEqual(['b', 'd']);
      expect(await dumped(pk, LATER - 1)).toHaveLength(4);
    });

    test.each([
      false,
      true,
    ])('an increment replaces the expiry of its counter, and without one keeps it (volatile: %s)', async (volatile) => {
      const pk = newPk();
      const counter = { pk, sk: 'counter' };
      const steps: [number | undefined, number | undefined][] = [
        [undefined, undefined],
        [LATER, LATER],
        [undefined, LATER],
        [LATER + 1000, LATER + 1000],
        [LATER + 1000, LATER + 1000],
        [undefined, LATER + 1000],
        [LATER - 100, LATER - 100],
        [undefined, LATER - 100],
      ];
      for (const [i, [expires_at, kept]] of steps.entries()) {
        await table.increment(counter, 1, { volatile, ...(expires_at !== undefined && { expires_at }) });
        const expiry = kept === undefined ? {} : { expires_at: kept };
        expect(await dumped(pk)).toEqual([{ ...counter, counter: i + 1, ...expiry }]);
      }
    });

    test('the first increment of a counter sets its expiry', async () => {
      const pk = newPk();
      await table.increment({ pk, sk: 'a' }, 0, { expires_at: LATER });
      await table.increment({ pk, sk: 'b' }, 0);
      expect(await dumped(pk)).toEqual([
        { pk, sk: 'a', counter: 0, expires_at: LATER },
        { pk, sk: 'b', counter: 0 },
      ]);
    });

    test('simultaneous increments leave the expiry that all of them name', async () => {
      const pk = newPk();
      const increment = (expires_at: number) => table.increment({ pk, sk: 'counter' }, 1, { expires_at });
      await increment(LATER + 1000);
      await Promise.all(Array.from({ length: 20 }, () => increment(LATER)));
      expect(await dumped(pk)).toEqual([{ pk, sk: 'counter', counter: 21, expires_at: LATER }]);
    });

    test('a put, a transaction and a removal decide on the expiry of their item alone', async () => {
      const pk = newPk();
      for (const sk of ['a', 'b', 'c']) await table.put({ pk, sk, data: {}, expires_at: LATER });
      await table.put({ pk, sk: 'a', data: {} });
      await table.transact([{ put: { pk, sk: 'b', data: {}, expires_at: LATER + 1 } }, { remove: { pk, sk: 'c' } }]);
      await table.put({ pk, sk: 'c', data: {} }, { absent: true });
      expect(await dumped(pk)).toEqual([
        { pk, sk: 'a', data: {} },
        { pk, sk: 'b', data: {}, expires_at: LATER + 1 },
        { pk, sk: 'c', data: {} },
      ]);
    });

    test('a dump contains keys of any characters unchanged, and a restore accepts them', async () => {
      const pk = newPk();
      const entries = VARIANTS.flatMap((variant, i): Entry[] => [
        { pk: `${pk}${variant}`, sk: variant, data: { i } },
        { pk: `${pk}${variant}`, sk: `${variant}-counter`, counter: i },
      ]);
      await dump.restore(entries);
      const found = (await pages()).flatMap((page) => page.entries).filter((entry) => entry.pk.startsWith(pk));
      expect(found).toHaveLength(entries.length);
      expect(found).toEqual(expect.arrayContaining(entries));
    });

    test('a counter is dumped and restored exactly up to the largest safe integers', async () => {
      const pk = newPk();
      const entries = [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 2 ** 32, 0].map(
        (counter, i): Entry => ({ pk, sk: `${i}`, counter }),
      );
      await dump.restore(entries);
      expect(await dumped(pk)).toEqual(entries);
      expect(await table.increment({ pk, sk: '0' }, -1)).toBe(Number.MAX_SAFE_INTEGER - 1);
    });

    test('a restore that is refused writes nothing', async () => {
      const pk = newPk();
      const sound: Entry = { pk, sk: 'a', data: {} };
      const unsound: Entry[] = [
        { pk, sk: 'b', data: { text: 'x'.repeat(400_001) } },
        { pk, sk: 'c', counter: 1.5 },
        { pk, sk: '', data: {} },
        { pk, sk: 'd', data: {}, expires_at: 0.5 },
      ];
      for (const entry of unsound) await expect(dump.restore([sound, entry])).rejects.toBeInstanceOf(Error);
      expect(await dumped(pk)).toEqual([]);
    });

    test('a dump of several pages gives each entry once and in a stable order', async () => {
      const pk = newPk();
      const sortKeys = Array.from({ length: 1100 }, (_, i) => `#${String(i).padStart(4, '0')}`);
      await fill(table, pk, sortKeys);
      const found = await pages();
      expect(ofPartition(found, pk).map(({ sk }) => sk)).toEqual(sortKeys);
      expect(await pages()).toEqual(found);
    });

    test('a dump continues from any page as if it had never stopped', async () => {
      const pk = newPk();
      await fill(
        table,
        pk,
        Array.from({ length: 20 }, (_, i) => `#${i + 10}`),
      );
      const found = await pages();
      for (const [i, { next }] of found.slice(0, 5).entries()) {
        if (next !== undefined) expect(await dump.dump(NOW, next)).toEqual(found[i + 1]);
      }
    });

    test('a dump gives large items on short pages', async () => {
      const pk = newPk();
      const data = { text: 'x'.repeat(300_000) };
      for (let i = 0; i < 8; i++) await table.put({ pk, sk: String(i), data });
      const found = await pages();
      expect(ofPartition(found, pk)).toHaveLength(8);
      const perPage = found.map((page) => ofPartition([page], pk).length);
      expect(Math.max(...perPage)).toBeLessThanOrEqual(4);
    });

    test('a restored item or counter behaves like any other', async () => {
      const pk = newPk();
      await dump.restore([
        { pk, sk: 'item', data: { n: 1 }, expires_at: LATER },
        { pk, sk: 'counter', counter: 41, expires_at: LATER },
      ]);
      const item = await stored(table, { pk, sk: 'item' });
      expect(item).toMatchObject({ data: { n: 1 }, expires_at: LATER, version: expect.any(String) });
      expect(await table.put({ pk, sk: 'item', data: { n: 2 } }, { version: item.version })).toBe(true);
      expect(await table.increment({ pk, sk: 'counter' }, 1)).toBe(42);
      expect((await table.query({ pk })).items.map(({ sk }) => sk)).toEqual(['item']);
    });

    test('a restore overwrites entries and invalidates the versions read before', async () => {
      const { pk } = newKey();
      await table.put({ pk, sk: 'item', data: { n: 1 }, expires_at: LATER });
      await table.increment({ pk, sk: 'counter' }, 5, { expires_at: LATER });
      const before = await stored(table, { pk, sk: 'item' });
      const entries: Entry[] = [
        { pk, sk: 'counter', counter: 3 },
        { pk, sk: 'item', data: { n: 2 } },
      ];
      for (const _ of ['once', 'again']) {
        await dump.restore(entries);
        expect(await dumped(pk)).toEqual(entries);
      }
      expect(await table.put({ pk, sk: 'item', data: {} }, { version: before.version })).toBe(false);
    });

    test('a restore takes at most 100 entries and none of them twice', async () => {
      const pk = newPk();
      const entries = Array.from({ length: 101 }, (_, i): Entry => ({ pk, sk: String(i), data: { i } }));
      await expect(dump.restore(entries)).rejects.toThrow(RangeError);
      await expect(dump.restore([...entries.slice(0, 2), ...entries.slice(0, 1)])).rejects.toThrow(RangeError);
      expect(await dumped(pk)).toEqual([]);
      await dump.restore(entries.slice(1));
      expect(await dumped(pk)).toHaveLength(100);
    });

    test('a dump estimates the number of its entries', async () => {
      expect(await dump.countEntries()).toBeGreaterThanOrEqual(0);
    });

    if (!outage) return;
    test('every call of a dump rejects with StoreUnavailable while the store is out of reach', async () => {
      const broken = await outage();
      const calls = [
        broken.dump.dump(NOW),
        broken.dump.restore([{ ...newKey(), data: {} }]),
        broken.dump.countEntries(),
      ];
      const results = await Promise.allSettled(calls);
      await broken.table.close();
      const faults = results.map((result) => result.status === 'rejected' && result.reason);
      expect(faults).toEqual(calls.map(() => expect.any(StoreUnavailable)));
    });
  });
};
