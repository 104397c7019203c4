import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import { StoredPolicies } from '../../../adapters/store/catalogs.ts';
import type { ProductContent } from '../../../domain/catalog/product.ts';
import { DEFAULT_POLICY } from '../../../domain/policy/client-policy.ts';
import { audited } from '../../support/audited.ts';
import { faultyTable } from '../../support/faulty-table.ts';
import { AGE, aProcess, permit, prices, save, watchedTable } from './processes.ts';

let store: MemoryTable;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  store = new MemoryTable();
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number): void => void vi.advanceTimersByTime(ms);
const content = (usage_path: string): ProductContent => ({
  product_id: 1,
  detail_html: null,
  gallery: [],
  videos: [],
  usage_path,
  architecture_path: null,
  ai_prompt_path: null,
  assets: [],
});
describe('a process with a copy of the catalog', () => {
  test('an old copy is checked by reading one small item, and stays if nothing changed', async () => {
    await save(aProcess(store), 1);
    const { table, callsOf } = watchedTable(store);
    const reader = aProcess(table);
    const before = await reader.current();
    later(AGE);
    expect(await callsOf(() => reader.current())).toEqual(['get EDITION#CATALOG']);
    expect(await reader.current()).toBe(before);
  });

  test('only records that another process changed are read', async () => {
    const { table, callsOf } = watchedTable(store);
    const [writer, reader] = [aProcess(store), aProcess(table)];
    for (const id of [1, 2, 3]) await save(writer, id, 100);
    await reader.current();
    await save(writer, 2, 200);
    later(AGE);
    expect(await callsOf(() => reader.current())).toEqual(['get EDITION#CATALOG', 'getMany CATALOG']);
    expect(await prices(reader)).toEqual({ 1: 100, 2: 200, 3: 100 });
  });

  test('a copy at two thirds of its maximum age is renewed in the background', async () => {
    const [writer, reader] = [aProcess(store), aProcess(store)];
    await save(writer, 1, 100);
    await reader.current();
    await save(writer, 1, 200);
    later((AGE * 2) / 3);
    expect(await prices(reader)).toEqual({ 1: 100 });
    await vi.waitFor(async () => expect(await prices(reader)).toEqual({ 1: 200 }));
  });

  test('a changed policy and changed content are seen as soon as a changed product', async () => {
    const { table, callsOf } = watchedTable(store);
    const [writer, reader] = [aProcess(store), aProcess(table)];
    const policies = new StoredPolicies(audited(store), writer.copy);
    await writer.save(permit, { kind: 'content', value: content('a.md') });
    await reader.current();
    expect((await reader.content(1))?.usage_path).toBe('a.md');
    expect(await callsOf(() => reader.content(1))).toEqual([]);
    await writer.save(permit, { kind: 'content', value: content('b.md') });
    await policies.save(permit, { ...DEFAULT_POLICY, version: 7 }, await policies.read());
    later(AGE);
    expect((await reader.content(1))?.usage_path).toBe('b.md');
    expect((await reader.current()).policy.version).toBe(7);
  });

  test('the whole catalog is read again after more changes than the edition lists', async () => {
    const [writer, reader] = [aProcess(store), aProcess(store)];
    await save(writer, 1);
    await reader.current();
    for (let n = 1; n <= 120; n++) await save(writer, 1, n);
    later(AGE);
    expect(await prices(reader)).toEqual({ 1: 120 });
  });
});

describe('a store that throttles requests', () => {
  let isDown: boolean;
  const throttled = () => faultyTable(store, () => isDown);

  beforeEach(() => {
    isDown = false;
  });

  test('a throttled process keeps its copy for an hour and logs it once a minute', async () => {
    await save(aProcess(store), 1, 100);
    const told: unknown[] = [];
    const reader = aProcess(throttled(), AGE, (fault) => told.push(fault));
    await reader.current();
    isDown = true;
    for (let minute = 1; minute < 60; minute++) {
      later(60_000);
      expect(await prices(reader)).toEqual({ 1: 100 });
      expect(await prices(reader)).toEqual({ 1: 100 });
      await vi.waitFor(() => expect(told.length).toBe(minute));
    }
    later(60_000);
    await expect(reader.current()).rejects.toThrow('The store throttles.');
  });

  test('a throttled process shows changes as soon as the store answers again', async () => {
    const reader = aProcess(throttled());
    await save(aProcess(store), 1, 100);
    await reader.current();
    isDown = true;
    later(AGE);
    await reader.current();
    await save(aProcess(store), 1, 200);
    isDown = false;
    later(AGE);
    await reader.current();
    await vi.waitFor(async () => expect(await prices(reader)).toEqual({ 1: 200 }));
  });

  test('a starting process is unaffected if only the catalog’s partition is throttled', async () => {
    await save(aProcess(store), 1, 100);
    const reader = aProcess(faultyTable(store, ({ keys }) => keys.some(({ pk }) => pk === 'CATALOG')));
    expect(await prices(reader)).toEqual({ 1: 100 });
  });

  test('a throttled process without a copy waits and then fails', async () => {
    isDown = true;
    await expect(aProcess(throttled()).current()).rejects.toThrow('The store throttles.');
  });
});
