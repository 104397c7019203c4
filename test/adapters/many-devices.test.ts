import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { openSqliteTable } from '../../adapters/sqlite/sqlite-table.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { aProduct } from '../support/builders.ts';
import { aFleet } from '../support/fleet.ts';
import { INPUTS, unitsOf } from '../support/fleet-reads.ts';
import { done } from '../support/outcomes.ts';
import { PERMIT, passed } from '../support/permits.ts';
import { anAccess } from '../support/public-builders.ts';
import { OTHER } from '../surface/shop.ts';

const DEVICES = 50_000;

/** Covers a page of 100 devices and the account's other records. */
const MOST_UNITS = 30;
const MOST_BYTES = 32 * 1024;

const bytesOf = (answer: unknown): number => Buffer.byteLength(JSON.stringify(answer));

type Fleet = Awaited<ReturnType<typeof aFleet>>;

const folder = mkdtempSync(join(tmpdir(), 'many-devices-'));
afterAll(() => rmSync(folder, { recursive: true }));

const engines: readonly [string, () => Table][] = [
  ['memory', () => new MemoryTable()],
  ['SQLite', () => openSqliteTable(join(folder, 'store.db'))],
];

describe.each(engines)('an account with 50,000 devices of one product on %s', (_, open) => {
  let fleet: Fleet;
  let engine: Table;

  beforeAll(async () => {
    engine = open();
    fleet = await aFleet(engine, DEVICES);
  }, 120_000);
  afterAll(() => engine.close());

  test.each(Object.entries(INPUTS))('the operation %s reads no more than a page of devices', async (_name, input) => {
    expect(await unitsOf(fleet, input)).toBeLessThanOrEqual(MOST_UNITS);
  });

  test('the license shows the number of all devices and lists 100', async () => {
    const { service, account } = fleet;
    const product = aProduct({ id: OTHER, device_limit: null });
    const access = anAccess({ device_limit: null });
    const shown = done(
      await passed(service.get('showLicense')({ account_id: account, product, locale: 'en' }), PERMIT, access),
    );
    expect(shown.devices.used).toBeGreaterThan(DEVICES - 10);
    expect(shown.device_list).toHaveLength(100);
    expect(bytesOf(shown)).toBeLessThan(MOST_BYTES);
  });

  test.each([
    ['the page of one product', (get, account) => get('listOwnDevices')(account, OTHER)],
    ['the page of all products', (get, account) => get('listOwnDevices')(account, null)],
    ['the purchases', (get, account) => get('listPurchases')({ account_id: account, locale: 'en' })],
    ['the operator’s view of the account', (get, account) => get('showAccount')(String(account))],
    [
      'the operator’s list of devices',
      (get, account_id) => get('listAccountDevices')({ account_id, product: null, limit: 100, after: null }),
    ],
  ] satisfies [
    string,
    (get: Service['get'], account: number) => Promise<unknown>,
  ][])('%s reads and tells no more than a page of devices', async (_name, show) => {
    const { service, account, measure } = fleet;
    let shown: unknown;
    const { units } = await measure(async () => {
      shown = await show(service.get, account);
    });
    expect(units).toBeLessThanOrEqual(MOST_UNITS);
    expect(bytesOf(shown)).toBeLessThan(MOST_BYTES);
  });

  test('the pages of a product show each of its devices once', async () => {
    const { service, account } = fleet;
    const seen = new Set<string>();
    let after: string | null = null;
    let pages = 0;
    do {
      const { products } = await service.get('listOwnDevices')(account, OTHER, after);
      for (const { device_id } of products[0]?.devices ?? []) seen.add(device_id);
      after = products[0]?.next ?? null;
      pages++;
    } while (after !== null);
    const { slots } = await service.get('devices').find(account, OTHER, null);
    expect(seen.size).toBe(slots.used);
    expect(pages).toBeLessThanOrEqual(DEVICES / 100 + 1);
  });
});
