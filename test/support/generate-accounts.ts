import { hash } from 'node:crypto';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoredAccounts } from '../../adapters/store/accounts.ts';
import { StoredApiKeys } from '../../adapters/store/api-keys.ts';
import { StoredBillingRecords } from '../../adapters/store/billing.ts';
import { StoredSetupProgresses } from '../../adapters/store/catalogs.ts';
import { StoredDevices } from '../../adapters/store/devices.ts';
import { StoredLicenses } from '../../adapters/store/licenses.ts';
import { StoredRateLimits } from '../../adapters/store/rate-limits.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { TableDump } from '../../adapters/store/table-dump.ts';
import { StoredInstalls, StoredUsage } from '../../adapters/store/usage.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { audited } from './audited.ts';
import {
  aDevice,
  anApiKey,
  anEntitlement,
  anInvoice,
  anOrder,
  aPaymentMethod,
  aSubscription,
  NOW,
} from './builders.ts';

export type Generated = {
  readonly accounts: number;
  /** The id of the first account. The default of 1,000,000 is above every id of the sample store. */
  readonly first?: number;
  /** The products that the accounts own. */
  readonly product_ids?: readonly number[];
};

/** The number of accounts that are built in memory and written together. */
const CHUNK = 50;

/** Future days, for usage and the expiry of counters, so that nothing generated has expired when a test runs. */
const USED_ON = ['2096-01-01', '2096-01-02'] as const;
const RECORDED_AT = `${USED_ON[1]}T00:00:00.000Z`;
const EXPIRES = 4_102_444_800;

const permit = grantPermit();

const repositories = (table: Table) => ({
  accounts: new StoredAccounts(audited(table)),
  keys: new StoredApiKeys(audited(table)),
  devices: new StoredDevices(audited(table)),
  licenses: new StoredLicenses(audited(table)),
  progresses: new StoredSetupProgresses(table),
  usage: new StoredUsage(table),
  installs: new StoredInstalls(table),
  billing: new StoredBillingRecords(audited(table)),
  limits: new StoredRateLimits(table),
});

/** The hash of a generated account's key, for looking the key up. */
export const generatedKeyHash = (account_id: number): string => hash('sha256', `generated ${account_id}`);

/** Saves an account with records of every kind. Its id alone determines their kinds and numbers. */
const saveAccount = async (into: ReturnType<typeof repositories>, id: number, product_ids: readonly number[]) => {
  await into.accounts.save(grantPermit(), {
    id,
    email: `buyer-${id}@example.com`,
    name: id % 3 === 0 ? null : `Käufer ${id} 구매자`,
    created_at: NOW,
    password_hash: null,
  });
  const key = anApiKey({ id: id * 10, account_id: id, hash: generatedKeyHash(id) });
  await into.keys.change(permit, await into.keys.scope(id, null), { add: key }, NOW);
  if (id % 2 === 0) await into.keys.touch(key, NOW);
  for (const [n, product_id] of product_ids.entries()) {
    if ((id + n) % 3 === 0) continue;
    await into.licenses.saveEntitlement(grantPermit(), anEntitlement({ id: id * 10 + n, account_id: id, product_id }));
    for (let device = 0; device < ((id + n) % 4) + 1; device++) {
      const device_id = device === 3 ? `a name of its own ${device} ✓` : `device-${id}-${device}`;
      const { slots } = await into.devices.find(id, product_id, device_id);
      await into.devices.activate(permit, id, product_id, aDevice({ device_id }), slots);
    }
    await into.usage.save(permit, id, key.id, [
      { product_id, usage_date: USED_ON[0], launches: id % 7 },
      { product_id, usage_date: USED_ON[1], launches: 1 },
    ]);
  }
  if (id % 5 === 0)
    await into.licenses.saveSubscription(grantPermit(), aSubscription({ id, account_id: id, product_ids }));
  await into.billing.savePaymentMethod(grantPermit(), aPaymentMethod({ id, account_id: id }));
  await into.billing.saveOrder(grantPermit(), anOrder({ id, account_id: id }));
  await into.billing.saveInvoice(grantPermit(), anInvoice({ id, account_id: id, order_id: id }));
  await into.progresses.save(permit, id, product_ids[0] ?? 1, { completed_step_indexes: [0, 1], completed_at: null });
  if (id % 4 === 0) await into.limits.hit(`account-${id}`, id, EXPIRES);
  await into.installs.record(permit, {
    id: id * 10,
    account_id: id,
    key_id: key.id,
    product_id: product_ids[0] ?? 1,
    version: '1.0.0',
    bundle_id: null,
    installed_at: NOW,
    release_id: null,
    artifact_sha256: null,
    recorded_at: RECORDED_AT,
  });
};

/**
 * Writes an in-memory table into the dump, 100 entries at a time, and returns their number. The list of orders and the
 * sums are left out, because each table has its own; a service counts the orders as those of an older store.
 */
const pour = async (from: MemoryTable, into: TableDump): Promise<number> => {
  let count = 0;
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const { entries: all, next } = await from.dump(0, after);
    const entries = all.filter(({ pk }) => !/^(?:ORDERS|SUMS)#/.test(pk));
    for (let at = 0; at < entries.length; at += 100) await into.restore(entries.slice(at, at + 100));
    count += entries.length;
    after = next;
  }
  return count;
};

/**
 * Fills a table with accounts and returns the number of entries. Each account has about 19 entries, such as a key,
 * entitlements, devices, orders and usage. The repositories write them, and they are the same every time.
 */
export const generateAccounts = async (
  into: TableDump,
  { accounts, first = 1_000_000, product_ids = [1, 2, 3] }: Generated,
): Promise<number> => {
  let entries = 0;
  for (let id = first; id < first + accounts; id += CHUNK) {
    const table = new MemoryTable();
    const chunk = repositories(table);
    for (let at = id; at < Math.min(id + CHUNK, first + accounts); at++) await saveAccount(chunk, at, product_ids);
    entries += await pour(table, into);
  }
  return entries;
};
