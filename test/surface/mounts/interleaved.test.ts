import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import type { Key, ReadOptions, Table } from '../../../adapters/store/table.ts';
import { IN_MEMORY, openExpressMount } from '../express-mount.ts';
import type { Mount, OpenMount } from '../mount.ts';
import { openShop } from '../shop.ts';
import { deviceKeysSuite } from '../suite/device-keys.ts';
import { idempotencySuite } from '../suite/idempotency.ts';
import { keyLifeSuite } from '../suite/key-life.ts';
import { licenseDevicesSuite } from '../suite/license-devices.ts';
import { productLicenseSuite } from '../suite/product-license.ts';
import { setupProgressSuite } from '../suite/setup-progress.ts';
import { usageSuite } from '../suite/usage.ts';

/** The longest delay of a call. It spans several milliseconds, because timers resolve whole milliseconds only. */
const LONGEST_MS = 3;

const someTime = (): Promise<void> => sleep(Math.floor(Math.random() * (LONGEST_MS + 1)));

/**
 * Wraps a table with random delays like a network's, so that concurrent requests interleave. `getMany` reads each item
 * at a different moment, as its contract allows.
 */
const distant = (table: Table): Table =>
  new Proxy(table, {
    get: (target, name, proxy: Table) => {
      if (name === 'getMany') {
        return (keys: readonly Key[], options?: ReadOptions) => Promise.all(keys.map((key) => proxy.get(key, options)));
      }
      const call: unknown = Reflect.get(target, name);
      if (typeof call !== 'function') return call;
      return async (...args: unknown[]): Promise<unknown> => {
        await someTime();
        const result: unknown = await Reflect.apply(call, target, args);
        await someTime();
        return result;
      };
    },
  });

const open: OpenMount = (settings) => openExpressMount(IN_MEMORY, settings, { table: distant(new MemoryTable()) });

/** Runs the suites of operations that read, decide and write, while other requests write in between. */
describe('the service on a distant table', () => {
  let shared: Mount;
  const mount = (): Mount => shared;

  beforeAll(async () => {
    shared = await open();
    await openShop(shared.service);
  });
  afterAll(async () => {
    await shared.close();
    expect(shared.faults).toEqual([]);
  });

  describe('devices of a license', () => licenseDevicesSuite(mount));
  describe('keys of a device', () => deviceKeysSuite(mount));
  describe('the license of a product', () => productLicenseSuite(mount));
  describe('the life of a key', () => keyLifeSuite(mount));
  describe('setup progress', () => setupProgressSuite(mount));
  describe('an Idempotency-Key', () => idempotencySuite(mount));
  describe('usage', () => usageSuite(mount));
});
