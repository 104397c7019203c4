import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ABILITIES,
  type Ability,
  DEVICE_KEY_ABILITIES,
  PERSONAL_KEY_ABILITIES,
  productKeyAbilities,
} from '../../../domain/access/abilities.ts';
import { type Actor, actorOf, waitingDevice } from '../../../domain/access/actor.ts';
import { isLive, keyEnd, useIsUnrecorded } from '../../../domain/access/api-key.ts';
import {
  type AccountPrincipal,
  ANYONE,
  checkAbility,
  checkProductScope,
  isInScope,
  type Principal,
} from '../../../domain/access/principal.ts';
import {
  addressLimit,
  countedAddress,
  pageCounter,
  rateCounter,
  rateVerdict,
  rateWindow,
  streamWindow,
} from '../../../domain/access/rate-limit.ts';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { anApiKey, NOW } from '../../support/builders.ts';

const HOUR_MS = 3_600_000;
const aMillisecondBefore = (instant: string) => toInstant(millis(instant) - 1);

describe('the life of a key', () => {
  test('a key is live until its expiry and ends at that moment', () => {
    const key = anApiKey({ expires_at: NOW });
    expect(isLive(key, aMillisecondBefore(NOW))).toBe(true);
    expect(isLive(key, NOW)).toBe(false);
  });

  test('a personal key without an expiry stays live even when it is never used', () => {
    expect(isLive(anApiKey({ last_used_at: null }), addDays(NOW, 36_500))).toBe(true);
  });

  test('a revoked key is not live', () => {
    expect(isLive(anApiKey({ revoked_at: NOW }), NOW)).toBe(false);
  });
});

describe('the life of a device key', () => {
  test.each([
    ['made', { created_at: NOW }, 0],
    ['recorded as used, and an hour more,', { created_at: addDays(NOW, -89), last_used_at: NOW }, HOUR_MS],
  ])('a device key is live for 90 days from the moment at which it was %s and not a moment longer', (_, times, more) => {
    const key = anApiKey({ kind: 'device', ...times });
    const end = toInstant(millis(addDays(NOW, 90)) + more);
    expect(isLive(key, aMillisecondBefore(end))).toBe(true);
    expect(isLive(key, end)).toBe(false);
  });

  test('a device key stays live for its 90 unused days, and for at most one hour more', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 3 * HOUR_MS }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(pauses, (all) => {
        let key = anApiKey({ kind: 'device', created_at: NOW });
        let now = NOW;
        for (const pause of all) {
          now = toInstant(millis(now) + pause);
          if (useIsUnrecorded(key, now)) key = { ...key, last_used_at: now };
        }
        const end = addDays(now, 90);
        expect(isLive(key, aMillisecondBefore(end))).toBe(true);
        expect(isLive(key, toInstant(millis(end) + HOUR_MS))).toBe(false);
      }),
    );
  });

  test('a device key ends at its expiry or after 90 unused days, whichever comes first', () => {
    expect(keyEnd(anApiKey({ kind: 'device', expires_at: addDays(NOW, 5) }))).toBe(addDays(NOW, 5));
    expect(keyEnd(anApiKey({ kind: 'device', expires_at: addDays(NOW, 500), created_at: NOW }))).toBe(addDays(NOW, 90));
  });
});

test('a use of a key is recorded at most once an hour, even when the clock is set back', () => {
  const used = (last_used_at: string | null) => anApiKey({ last_used_at });
  expect(useIsUnrecorded(used(null), NOW)).toBe(true);
  expect(useIsUnrecorded(used('2026-11-21T23:30:00.000Z'), '2026-11-22T00:29:59.999Z')).toBe(false);
  expect(useIsUnrecorded(used('2026-11-21T10:30:00.000Z'), '2026-11-21T11:30:00.000Z')).toBe(true);
  expect(useIsUnrecorded(used('2026-11-21T10:30:00.000Z'), '2026-11-21T05:00:00.000Z')).toBe(false);
});

describe('the abilities of a key', () => {
  const abilities = fc.subarray([...ABILITIES]);

  test('a personal key and a device key each start with their own list of abilities', () => {
    expect(PERSONAL_KEY_ABILITIES).toEqual(['products.read', 'mcp.read', 'device.install']);
    expect([...DEVICE_KEY_ABILITIES].sort()).toEqual([
      'device.activate',
      'device.entitlements',
      'device.install',
      'device.usage',
      'products.read',
      'support.report',
    ]);
  });

  test('a product key has no ability that its parent lacks and cannot make further keys', () => {
    fc.assert(
      fc.property(abilities, (parent) => {
        const granted = productKeyAbilities(parent);
        expect(parent).toEqual(expect.arrayContaining([...granted]));
        expect(granted).not.toContain('device.activate');
      }),
    );
    expect(productKeyAbilities(DEVICE_KEY_ABILITIES)).toHaveLength(5);
  });
});

describe('the checks of a key', () => {
  test('a key without the ability is refused and the message names the ability', () => {
    const key = anApiKey({ abilities: ['products.read'] });
    expect(checkAbility(key, 'products.read').ok).toBe(true);
    expect(checkAbility(key, undefined).ok).toBe(true);
    expect(checkAbility(key, 'device.usage')).toMatchObject({
      code: 'missing_api_key_ability',
      message: expect.stringContaining('device.usage'),
    });
  });

  test('a key bound to one product is refused for another product', () => {
    expect(checkProductScope(anApiKey({ product_id: 1 }), 1).ok).toBe(true);
    expect(checkProductScope(anApiKey({ product_id: null }), 1).ok).toBe(true);
    expect(checkProductScope(anApiKey({ product_id: 2 }), 1)).toMatchObject({ code: 'product_api_key_scope_required' });
  });

  test('an account-wide key is refused where a key bound to the product is needed', () => {
    expect(checkProductScope(anApiKey({ product_id: 1 }), 1, true).ok).toBe(true);
    expect(checkProductScope(anApiKey({ product_id: 2 }), 1, true).ok).toBe(false);
    expect(checkProductScope(anApiKey({ product_id: null }), 1, true)).toMatchObject({
      code: 'product_api_key_scope_required',
      message: expect.stringContaining('account-wide'),
    });
  });

  test('a narrowed key passes no check that the wider key fails', () => {
    const narrowing = fc
      .record({ held: fc.subarray([...ABILITIES]), product: fc.constantFrom(null, 1, 2) })
      .chain(({ held, product }) =>
        fc.record({
          wide: fc.constant(anApiKey({ abilities: held, product_id: product })),
          abilities: fc.subarray(held),
          product_id: product === null ? fc.constantFrom(null, 1, 2) : fc.constant(product),
        }),
      );
    const asked: fc.Arbitrary<Ability | undefined> = fc.constantFrom(undefined, ...ABILITIES);
    fc.assert(
      fc.property(narrowing, asked, fc.constantFrom(1, 2, 3), ({ wide, ...less }, ability, target) => {
        const narrow = { ...wide, ...less };
        if (!checkAbility(wide, ability).ok) expect(checkAbility(narrow, ability).ok).toBe(false);
        if (!checkProductScope(wide, target).ok) expect(checkProductScope(narrow, target).ok).toBe(false);
        if (!isInScope(wide, target)) expect(isInScope(narrow, target)).toBe(false);
        expect(productKeyAbilities(wide.abilities)).toEqual(
          expect.arrayContaining([...productKeyAbilities(narrow.abilities)]),
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('the rate limit', () => {
  test('a window allows as many requests as the limit and refuses the next one', () => {
    expect(rateVerdict(120, 120, rateWindow(NOW))).toMatchObject({ allowed: true, remaining: 0 });
    expect(rateVerdict(121, 120, rateWindow(NOW))).toMatchObject({ allowed: false, remaining: 0 });
    expect(rateVerdict(1, 120, rateWindow(NOW))).toMatchObject({ allowed: true, remaining: 119, limit: 120 });
  });

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::3:4:5:6:7', '2001:db8:0:3::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
    ['no address', 'no address'],
  ])('the address %j is counted as %j', (address, counted) => {
    expect(countedAddress(address)).toBe(counted);
  });

  test('two IPv6 networks are counted apart', () => {
    expect(countedAddress('2001:db8:1:3::9')).not.toBe(countedAddress('2001:db8:1:2::9'));
  });

  test('each clock minute is a rate window of its own', () => {
    expect(rateWindow('2026-11-21T08:00:59.999Z')).toEqual({ ...rateWindow('2026-11-21T08:00:00.000Z'), left: 1 });
    expect(rateWindow('2026-11-21T08:01:00.000Z').id).toBe(rateWindow(NOW).id + 1);
    expect(rateWindow(NOW).resets_at * 1000).toBe(millis('2026-11-21T08:01:00.000Z'));
  });

  test('a quarter of an hour counts streams until it is over', () => {
    const { id, ends_at } = streamWindow('2026-11-21T08:14:59.999Z');
    expect(ends_at * 1000).toBe(millis('2026-11-21T08:15:00.000Z'));
    expect(streamWindow('2026-11-21T08:00:00.000Z').id).toBe(id);
    expect(streamWindow('2026-11-21T08:15:00.000Z').id).toBe(id + 1);
  });

  test('a refused request is told to wait 1 to 60 whole seconds, which lead to the next window', () => {
    fc.assert(
      fc.property(fc.integer({ min: millis(NOW), max: millis(NOW) + 120_000 }), (at) => {
        const { retry_after } = rateVerdict(121, 120, rateWindow(toInstant(at)));
        expect(Number.isInteger(retry_after) && retry_after >= 1 && retry_after <= 60).toBe(true);
        expect(rateWindow(toInstant(at + retry_after * 1000)).id).toBe(rateWindow(toInstant(at)).id + 1);
      }),
    );
  });
});

describe('the party that makes a request', () => {
  const principal = (credential: AccountPrincipal['credential']): AccountPrincipal => ({
    kind: 'account',
    account_id: 7,
    abilities: [],
    product_id: null,
    credential,
  });
  const common = { through: 'logout', from: '192.0.2.1' };

  test.each<[string, Principal, Partial<Actor>]>([
    ['nobody known', ANYONE, { kind: 'anyone', id: null, account_id: null }],
    [
      'an agent by its token',
      { kind: 'agent', id: 3, role: 'read', name: 'Reader' },
      { kind: 'agent', id: '3', name: 'Reader', account_id: null },
    ],
    ['a key by its id', principal({ kind: 'key', key: anApiKey({ id: 5 }) }), { kind: 'key', id: '5', account_id: 7 }],
    [
      'a client that signed in',
      principal({ kind: 'token', client_id: 'client' }),
      { kind: 'client', id: 'client', account_id: 7 },
    ],
    ['a page by its session', principal({ kind: 'session', session_id: 9 }), { kind: 'page', id: '9', account_id: 7 }],
  ])('the audit log receives %s', (_, who, actor) => {
    expect(actorOf(who, 'logout', '192.0.2.1')).toEqual({ ...actor, ...common });
  });

  test('a device that signs in is a client without an account', () => {
    expect(waitingDevice('cli', '192.0.2.1')).toEqual({
      kind: 'client',
      id: 'cli',
      account_id: null,
      through: 'device sign-in',
      from: '192.0.2.1',
    });
  });
});

describe('the counter of a request', () => {
  const settings = { perAccount: 120, perAgent: 90, perAddress: 60 };

  test.each([
    ['an account', { kind: 'account', id: 7 }, 'ACCOUNT#7', 120],
    ['an account with its own limit', { kind: 'account', id: 7, requests_per_minute: 5 }, 'ACCOUNT#7', 5],
    ['an agent', { kind: 'agent', id: 7 }, 'AGENT#7', 90],
    ['an address', { kind: 'address', address: '203.0.113.7' }, 'ADDRESS#203.0.113.7', 60],
  ] as const)('%s has a counter of its own, with its limit per minute', (_, owner, name, limit) => {
    expect(rateCounter(owner, settings, undefined)).toEqual({ name, limit });
    const own = { endpoint: 'reportError', perMinute: 3 };
    expect(rateCounter(owner, settings, own)).toEqual({ name: `reportError#${name}`, limit: 3 });
  });

  test('page assets count as files, with 600 requests a minute unless another limit is set', () => {
    expect([pageCounter('/assets/style.css'), pageCounter('/library'), pageCounter('/')]).toEqual([
      'bulk',
      'calls',
      'calls',
    ]);
    expect(addressLimit('bulk', settings)).toEqual({ endpoint: 'files', perMinute: 600 });
    expect(addressLimit('bulk', { ...settings, filesPerAddress: 9 })).toEqual({ endpoint: 'files', perMinute: 9 });
    expect(addressLimit('calls', settings)).toBeUndefined();
  });
});
