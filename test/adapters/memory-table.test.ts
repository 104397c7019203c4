import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareUtf8, MemoryTable } from '../../adapters/memory/memory-table.ts';
import { isCounter } from '../../adapters/store/table-dump.ts';
import type { TypedTable } from '../../adapters/store/typed-table.ts';
import { tableContract } from '../contracts/table.ts';
import { asSlow } from '../support/slow-engine.ts';

const whole = new MemoryTable();
const slow = asSlow();
tableContract('MemoryTable', () => slow(whole), { outage: null, another: () => slow(whole) });

test('the contract suite of a table leaves only expired counters behind', async () => {
  expect(await whole.countEntries()).toBeGreaterThan(0);
  expect(await whole.dump(Math.floor(Date.now() / 1000))).toEqual({ entries: [] });
  expect((await whole.dump(0)).entries.filter((entry) => !isCounter(entry))).toEqual([]);
});

const KEY = { pk: 'p', sk: 's' };

test('a read returns the stored item itself, which is deeply frozen', async () => {
  const table: TypedTable = new MemoryTable();
  await table.put({ ...KEY, data: { list: [{ deep: true }] } });
  const item = await table.get<{ list: object[] }>(KEY);
  expect((await table.getMany([KEY]))[0]).toBe(item);
  expect((await table.query({ pk: 'p' })).items[0]).toBe(item);
  for (const part of [item, item?.data, item?.data.list, item?.data.list[0]]) expect(Object.isFrozen(part)).toBe(true);
});

test('the memory engine keeps an expired item', async () => {
  const table = new MemoryTable();
  await table.put({ ...KEY, data: {}, expires_at: 1 });
  expect(await table.get(KEY)).toMatchObject({ expires_at: 1 });
});

test('a page of the memory engine that ends with the last item is the last page', async () => {
  const table = new MemoryTable();
  for (const sk of ['a', 'b']) await table.put({ pk: 'p', sk, data: {} });
  for (const descending of [false, true]) {
    expect(await table.query({ pk: 'p', limit: 2, descending })).not.toHaveProperty('next');
  }
});

const text = fc.string({
  unit: fc.constantFrom('a', 'b', '\u0000', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '\u{10ffff}'),
});

test('sort keys compare like their UTF-8 bytes', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test('queries keep the order of sort keys after any sequence of puts and removals', async () => {
  const sk = text.filter((key) => key.length > 0);
  const step = fc.record({ sk, does: fc.constantFrom('put', 'put', 'remove', 'query') });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const table = new MemoryTable();
      const kept = new Set<string>();
      for (const { sk, does } of steps) {
        if (does === 'put' && (await table.put({ pk: 'p', sk, data: {} }))) kept.add(sk);
        if (does === 'remove' && (await table.remove({ pk: 'p', sk }))) kept.delete(sk);
        if (does !== 'query') continue;
        const { items } = await table.query({ pk: 'p' });
        expect(items.map((item) => item.sk)).toEqual([...kept].sort(compareUtf8));
      }
    }),
  );
});
