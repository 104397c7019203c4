import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAccess } from 'account-service/use-cases';
import { studio, untilJuly } from './studio.ts';

test('access ends at the moment that the entitlement names', async () => {
  let now = '2026-06-30T23:59:59.999Z';
  const access = readAccess({
    clock: { now: () => now },
    licenses: { held: async () => ({ entitlements: [untilJuly], subscriptions: [] }) },
  });

  assert.equal((await access(7, studio, { bundles: [] })).granted, true);
  now = '2026-07-01T00:00:00.000Z';
  assert.deepEqual(await access(7, studio, { bundles: [] }), {
    granted: false,
    reason: 'access_expired',
    ended_at: now,
  });
});
