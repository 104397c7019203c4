import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ApiKey, admitKey, isLive, LIVE_KEY_QUOTA } from '../../../domain/access/api-key.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { anApiKey, NOW } from '../../support/builders.ts';

const scope = (...keys: ApiKey[]) => ({ account_id: 1, product_id: null, keys });
const aDeviceKey = (overrides: Partial<ApiKey>) => anApiKey({ kind: 'device', client: 'cli', ...overrides });

describe('the quota of keys', () => {
  test('three live keys fit the quota and a fourth is refused with the limit', () => {
    const keys = [1, 2, 3].map((id) => anApiKey({ id }));
    expect(admitKey(scope(...keys.slice(1)), LIVE_KEY_QUOTA, NOW)).toEqual({ ok: true, value: { revoke: [] } });
    expect(admitKey(scope(...keys), LIVE_KEY_QUOTA, NOW)).toMatchObject({
      code: 'key_limit_reached',
      data: { limit: 3 },
    });
  });

  test('revoked, expired and idle keys do not count against the quota', () => {
    const dead = [anApiKey({ revoked_at: NOW }), anApiKey({ expires_at: NOW })];
    const idle = aDeviceKey({ created_at: addDays(NOW, -91) });
    expect(admitKey(scope(...dead, idle, anApiKey(), anApiKey()), LIVE_KEY_QUOTA, NOW)).toEqual({
      ok: true,
      value: { revoke: [] },
    });
  });

  test('the refusal of a key names the product whose quota is full, and the keys that fill it', () => {
    const keys = [1, 2].map((id) => anApiKey({ id, product_id: 7, prefix: `svc_key${id}`, name: `laptop ${id}` }));
    expect(admitKey({ account_id: 1, product_id: 7, keys }, 2, NOW)).toMatchObject({
      message:
        'This account already has 2 live keys for product 7: svc_key1… (laptop 1), svc_key2… (laptop 2); revoke one first.',
      data: { limit: 2 },
    });
  });

  test('the operator’s own limit of keys replaces the default of three', () => {
    const keys = Array.from({ length: 9 }, (_, id) => anApiKey({ id }));
    expect(admitKey(scope(...keys), 10, NOW)).toMatchObject({ ok: true });
    expect(admitKey(scope(...keys, anApiKey()), 10, NOW)).toMatchObject({ data: { limit: 10 } });
  });
});

describe('a device sign-in with no free slot', () => {
  const older = aDeviceKey({ id: 1, last_used_at: addDays(NOW, -2) });
  const newer = aDeviceKey({ id: 2, last_used_at: addDays(NOW, -1) });

  test('a device sign-in without a free slot revokes the least recently used key of its client', () => {
    expect(admitKey(scope(newer, older, anApiKey({ id: 3 })), LIVE_KEY_QUOTA, NOW, 'cli')).toMatchObject({
      value: { revoke: [older] },
    });
  });

  test('a device key that was never used counts as used at its creation', () => {
    const unused = aDeviceKey({ id: 3, created_at: addDays(NOW, -3) });
    expect(admitKey(scope(older, newer, unused), LIVE_KEY_QUOTA, NOW, 'cli')).toMatchObject({
      value: { revoke: [unused] },
    });
  });

  test('a device sign-in never revokes personal keys or keys of other clients', () => {
    const others = [anApiKey({ client: 'cli' }), aDeviceKey({ client: 'apps' }), aDeviceKey({ client: null })];
    expect(admitKey(scope(...others), LIVE_KEY_QUOTA, NOW, 'cli')).toMatchObject({
      ok: false,
      code: 'key_limit_reached',
    });
  });

  test('a device sign-in revokes nothing while a slot is free', () => {
    expect(admitKey(scope(older, newer), LIVE_KEY_QUOTA, NOW, 'cli')).toEqual({ ok: true, value: { revoke: [] } });
  });
});

test('no sequence of making, using and revoking keys exceeds the quota', () => {
  const step = fc.oneof(
    fc.record({ make: fc.constantFrom('personal', 'cli', 'apps') }),
    fc.record({ revoke: fc.nat({ max: 5 }) }),
    fc.record({ use: fc.nat({ max: 5 }) }),
    fc.record({ wait: fc.constantFrom(1, 50, 91) }),
  );
  const play = (keys: readonly ApiKey[], now: string, made: ApiKey, client: string | null) => {
    const admission = admitKey(scope(...keys), LIVE_KEY_QUOTA, now, client);
    if (!admission.ok) return keys;
    const gone = new Set(admission.value.revoke.map(({ id }) => id));
    return [...keys.map((key) => (gone.has(key.id) ? { ...key, revoked_at: now } : key)), made];
  };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let keys: readonly ApiKey[] = [];
      let now = NOW;
      steps.forEach((step, id) => {
        if ('wait' in step) now = addDays(now, step.wait);
        else if ('revoke' in step) keys = keys.map((key, n) => (n === step.revoke ? { ...key, revoked_at: now } : key));
        else if ('use' in step)
          keys = keys.map((key, n) => (n === step.use && isLive(key, now) ? { ...key, last_used_at: now } : key));
        else if (step.make === 'personal') keys = play(keys, now, anApiKey({ id, created_at: now }), null);
        else keys = play(keys, now, aDeviceKey({ id, client: step.make, created_at: now }), step.make);
        expect(keys.filter((key) => isLive(key, now)).length).toBeLessThanOrEqual(LIVE_KEY_QUOTA);
      });
    }),
    { numRuns: 500 },
  );
});
