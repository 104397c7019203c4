import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import type { Table } from '../../../adapters/store/table.ts';
import type { Release } from '../../../domain/delivery/release.ts';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { delivery } from '../../../runtimes/composition/areas/delivery.ts';
import { licensing } from '../../../runtimes/composition/areas/licensing.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { aProduct, aRelease, NOW } from '../../support/builders.ts';
import { aClock, noPauses } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { AGE, permit, watchedTable } from './processes.ts';

let engines: ReturnType<typeof memoryEngines>;
let store: MemoryTable;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  engines = memoryEngines();
  store = engines.table;
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number): void => void vi.advanceTimersByTime(ms);

const clock = aClock();

const aService = (table: Table = store) =>
  bootstrap({ ...SETTINGS, catalogAge: AGE }, { ...engines, table }, [catalog, delivery, licensing], {
    clock,
    pauses: noPauses,
  });
type Service = ReturnType<typeof aService>;

const saveProduct = (service: Service, id: number) =>
  service.get('catalogEditor').save(permit, { kind: 'product', value: aProduct({ id, delivery: BINARY }) });
const BINARY = { ...aProduct().delivery, strategy: 'binary' as const };

const publish = async (service: Service, product_id: number, version: string, more: Partial<Release> = {}) => {
  const editor = service.get('releaseEditor');
  const release = aRelease({ id: product_id * 100 + Number(version.split('.')[1]), product_id, version, ...more });
  return editor.save(permit, release, await editor.read(product_id, version));
};
const versionsOf = async (service: Service, id: number): Promise<string[]> =>
  ((await service.get('releases').of([id])).get(id) ?? []).map(({ version }) => version).sort();
/** The newest version of each product that the public supply shows on `stable`. */
const shown = async (service: Service): Promise<Record<number, string | undefined>> => {
  const { channels } = await service.get('showSupply')({ locale: 'en' });
  return Object.fromEntries((channels[0]?.catalog.products ?? []).map(({ id, release }) => [id, release?.version]));
};

describe('the releases in a process’s copy', () => {
  test('only the releases of a product that another process published are read again', async () => {
    const { table, callsOf } = watchedTable(store);
    const [publisher, reader] = [aService(), aService(table)];
    for (const id of [1, 2]) await publish(publisher, id, '1.0.0');
    await reader.get('supplies').of([1]);
    for (const _ of ['a first read', 'one that is kept']) await reader.get('releases').of([1, 2]);
    await publish(publisher, 2, '1.1.0');
    later(AGE);
    expect(await callsOf(() => reader.get('releases').of([1, 2]))).toEqual(['get EDITION#SUPPLY', 'query PRODUCT#2']);
    expect(await versionsOf(reader, 1)).toEqual(['1.0.0']);
    expect(await versionsOf(reader, 2)).toEqual(['1.0.0', '1.1.0']);
  });

  test('the releases are checked in the same round trip as the catalog', async () => {
    const { table, callsOf } = watchedTable(store);
    const reader = aService(table);
    await saveProduct(aService(), 1);
    await publish(aService(), 1, '1.0.0');
    await reader.get('releases').of([1]);
    await reader.get('catalogs').current();
    later(AGE);
    const looks = ['get EDITION#SUPPLY', 'get EDITION#CATALOG'];
    expect((await callsOf(() => reader.get('catalogs').current())).slice(0, 2)).toEqual(looks);
    expect(await callsOf(() => reader.get('releases').of([]))).toEqual([]);
  });

  test('a withdrawn release disappears once the copy’s maximum age has passed', async () => {
    const [publisher, reader] = [aService(), aService()];
    await saveProduct(publisher, 1);
    for (const version of ['1.0.0', '1.1.0']) await publish(publisher, 1, version);
    expect(await shown(reader)).toEqual({ 1: '1.1.0' });
    await publish(publisher, 1, '1.1.0', { withdrawn: { at: NOW, reason: 'broken' } });
    later(AGE);
    expect(await shown(reader)).toEqual({ 1: '1.0.0' });
  });

  test('releases of several products are saved at the same time without a conflict', async () => {
    const all = Array.from({ length: 10 }, (_, n) => n + 1);
    expect(await Promise.all(all.map((id) => publish(aService(), id, '1.0.0')))).toEqual(all.map(() => true));
    const supplies = await aService().get('supplies').of(all);
    expect([...supplies.keys()].sort((a, b) => a - b)).toEqual(all);
  });
});

describe('the public supply', () => {
  test('a new process computes the supply with the same few calls for any number of products', async () => {
    const publisher = aService();
    const calls: string[][] = [];
    for (const most of [5, 40]) {
      for (let id = most === 5 ? 1 : 6; id <= most; id++) {
        await saveProduct(publisher, id);
        await publish(publisher, id, '1.0.0');
      }
      const { table, callsOf } = watchedTable(store);
      const reader = aService(table);
      calls.push(await callsOf(() => reader.get('showSupply')({ locale: 'en' })));
      expect(Object.keys(await shown(reader))).toHaveLength(most);
    }
    expect(calls[0]).toEqual(['getMany EDITION#CATALOG,EDITION#CATALOG', 'getMany EDITION#SUPPLY,EDITION#SUPPLY']);
    expect(calls[1]).toEqual(calls[0]);
  });

  test('the supply stays the same until a change or a release', async () => {
    const [publisher, reader] = [aService(), aService()];
    await saveProduct(publisher, 1);
    await publish(publisher, 1, '1.0.0');
    await publish(publisher, 1, '1.1.0', { released_at: '2030-01-01T00:00:00.000Z' });
    const answer = () => reader.get('showSupply')({ locale: 'en' });
    const first = await answer();
    expect(await answer()).toBe(first);
    clock.at = '2030-01-01T00:00:00.000Z';
    expect(await shown(reader)).toEqual({ 1: '1.1.0' });
    clock.at = NOW;
  });

  test('the supply reads the releases of a product whose scheduled ones exceed one item', async () => {
    const service = aService();
    await saveProduct(service, 1);
    const long = 'x'.repeat(100_000);
    for (let n = 1; n <= 5; n++) {
      await publish(service, 1, `1.${n}.0`, {
        released_at: '2030-01-01T00:00:00.000Z',
        artifacts: aRelease().artifacts.map((artifact) => ({ ...artifact, filename: long })),
      });
    }
    await publish(service, 1, '1.0.0');
    expect(await shown(aService())).toEqual({ 1: '1.0.0' });
  });

  test('a release whose id another product has is refused after one attempt and is not in the supply', async () => {
    const service = aService();
    for (const id of [1, 2]) await saveProduct(service, id);
    expect(await publish(service, 1, '1.0.0', { id: 7 })).toBe(true);
    expect(await publish(service, 2, '1.0.0', { id: 7 })).toBe(false);
    expect(await versionsOf(service, 2)).toEqual([]);
    expect(await shown(service)).toEqual({ 1: '1.0.0', 2: undefined });
  });

  test('the supply shows the releases that a team stores elsewhere', async () => {
    await saveProduct(aService(), 1);
    const releases = { of: async () => new Map([[1, [aRelease({ version: '7.0.0' })]]]), productOf: async () => 1 };
    const service = bootstrap(SETTINGS, engines, [catalog, delivery, licensing], { releases });
    const { channels } = await service.get('showSupply')({ locale: 'en' });
    expect(channels[0]?.catalog.products.map(({ release }) => release?.version)).toEqual(['7.0.0']);
  });
});
