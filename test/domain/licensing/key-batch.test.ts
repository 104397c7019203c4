import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWithoutPerson } from '../../../domain/accounts/account.ts';
import { canonicalAddress } from '../../../domain/accounts/address.ts';
import {
  claimOf,
  countedBatch,
  keptKeys,
  MOST_LICENSE_KEYS,
  pastedKey,
  type UnclaimedKey,
} from '../../../domain/licensing/key-batch.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anApiKey, NOW } from '../../support/builders.ts';

const TERMS = { product_id: 4, access_days: 30, updates_days: null, device_limit: null };
const KEY: UnclaimedKey = { id: 9, hash: 'a'.repeat(64), prefix: 'lic_0123456789', batch_id: 1 };
const BATCH = { id: 1, name: 'One', ...TERMS, created_at: NOW, count: 1000, revoked_at: null };
const scope = (live: number) => ({
  account_id: 7,
  product_id: 4,
  keys: Array.from({ length: live }, (_, id) => anApiKey({ id, kind: 'license', product_id: 4 })),
});

describe('the first use of a key of a batch', () => {
  test('the license of a batch key begins with the first use of the key', () => {
    const days = fc.option(fc.integer({ min: 1, max: 36_500 }));
    fc.assert(
      fc.property(days, days, fc.integer({ min: 0, max: 5000 }), (access_days, updates_days, later) => {
        const now = addDays(NOW, later);
        const claimed = claimOf(KEY, { ...BATCH, access_days, updates_days }, scope(0), false, now);
        expect(claimed).toMatchObject({
          value: {
            entitlement: {
              granted_at: now,
              access_expires_at: access_days === null ? null : addDays(now, access_days),
              updates_supported_until: updates_days === null ? null : addDays(now, updates_days),
            },
          },
        });
      }),
    );
  });

  test('the first use of a batch key opens an anonymous account only if no account is known', () => {
    const opened = claimOf(KEY, BATCH, scope(0), true, NOW);
    const account = opened.ok ? opened.value.account : null;
    expect(account && isWithoutPerson(account)).toBe(true);
    expect(canonicalAddress(account?.email ?? '')).toBeNull();
    expect(isWithoutPerson(anAccount())).toBe(false);
    expect(claimOf(KEY, BATCH, scope(0), false, NOW)).toMatchObject({ value: { account: null } });
  });

  test('an account that has its maximum number of batch keys can’t use another', () => {
    expect(claimOf(KEY, BATCH, scope(MOST_LICENSE_KEYS - 1), false, NOW).ok).toBe(true);
    expect(claimOf(KEY, BATCH, scope(MOST_LICENSE_KEYS), false, NOW)).toMatchObject({ code: 'key_limit_reached' });
  });

  test('a key of a revoked batch can’t be used', () => {
    expect(claimOf(KEY, { ...BATCH, revoked_at: NOW }, scope(0), false, NOW)).toMatchObject({
      code: 'invalid_api_key',
    });
  });
});

test('each key of a batch is unused, in use or revoked, whether the batch is revoked or not', () => {
  const instant = fc.option(fc.constant(NOW));
  fc.assert(
    fc.property(fc.array(instant, { maxLength: 20 }), fc.nat(20), instant, (claims, more, revoked_at) => {
      const batch = { ...BATCH, count: claims.length + more, revoked_at };
      const of = claims.map((ended, key_id) => ({ key_id, account_id: 1, claimed_at: NOW, revoked_at: ended }));
      const { unused, claimed, revoked } = countedBatch(batch, of);
      expect(unused + claimed + revoked).toBe(batch.count);
      expect(unused).toBe(revoked_at === null ? more : 0);
      expect(Math.min(unused, claimed, revoked)).toBeGreaterThanOrEqual(0);
    }),
  );
});

test.each([
  [1000, 1000, 1000],
  [1000, 400, 400],
  [1000, 0, 0],
  [1001, 0, 'key_batch_closed'],
  [1000, 1001, 'key_batch_closed'],
  [9500, 9500, 'key_batch_closed'],
])('of a batch of %i keys of which the caller has %i, further keys are limited: %s', (count, after, kept) => {
  const found = keptKeys({ ...BATCH, count }, after, 501);
  expect(found.ok ? found.value : found.code).toBe(kept);
});

test('a revoked batch gets no further keys', () => {
  expect(keptKeys({ ...BATCH, revoked_at: NOW }, 1000, 1).ok).toBe(false);
});

test.each([
  ['"lic_a1"'],
  [' lic_\u00ada1\r\n'],
  ['lic_\n a1'],
  ['「lic_a1」'],
  ['\ufefflic_\u200ba1\t'],
])('a key pasted as %j is read without the characters that mail or a table adds', (text) => {
  expect(pastedKey(text)).toBe('lic_a1');
});
