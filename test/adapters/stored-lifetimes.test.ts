import { expect, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { deviceKeys } from '../../adapters/store/keys/devices.ts';
import { StoredInstalls, StoredUsage } from '../../adapters/store/usage.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { INSTALLS_KEPT_DAYS, installRecord, USAGE_KEPT_DAYS } from '../../domain/devices/usage.ts';
import { addDays, millis } from '../../domain/shared/instant.ts';
import { NOW } from '../support/builders.ts';

const PERMIT = grantPermit();

const seconds = (moment: string): number => millis(moment) / 1000;

test('an install is deleted 400 days after it was recorded', async () => {
  const table = new MemoryTable();
  const report = {
    product_id: 1,
    version: '1',
    bundle_id: null,
    installed_at: null,
    release_id: null,
    artifact_sha256: null,
  };
  await new StoredInstalls(table).record(PERMIT, installRecord(report, { id: 9, account_id: 7, key_id: null }, NOW));
  const item = await table.get(deviceKeys.install(7, 9));
  expect(item?.expires_at).toBe(seconds(addDays(NOW, INSTALLS_KEPT_DAYS)));
});

test('a usage row is deleted 400 days after its date, sent alone or with others', async () => {
  const table = new MemoryTable();
  const row = (usage_date: string) => ({ product_id: 1, usage_date, launches: 1, commands: {} });
  await new StoredUsage(table).save(PERMIT, 7, 3, [row('2026-11-20')]);
  await new StoredUsage(table).save(PERMIT, 7, 3, [row('2026-11-21'), row('2026-11-22')]);
  for (const day of ['2026-11-20', '2026-11-21', '2026-11-22']) {
    const item = await table.get(deviceKeys.usage(7, 1, day, 3));
    expect(item?.expires_at).toBe(seconds(addDays(`${day}T00:00:00.000Z`, USAGE_KEPT_DAYS)));
  }
});
