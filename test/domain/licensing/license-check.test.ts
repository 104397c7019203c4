import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isVersionCovered } from '../../../domain/delivery/offered-release.ts';
import { sparkleOrder } from '../../../domain/delivery/version-order.ts';
import type { Access } from '../../../domain/licensing/access.ts';
import {
  type CheckedLicense,
  decideLicense,
  isDeviceRevoked,
  isSharedDeviceRefused,
  judgeQuestion,
  type LicenseAnswer,
  type LicenseQuestion,
  licenseView,
  productAsked,
  recheckAfter,
  tokenClaims,
  tokenTtl,
} from '../../../domain/licensing/license-check.ts';
import { DEFAULT_POLICY } from '../../../domain/policy/client-policy.ts';
import { addDays, type Instant } from '../../../domain/shared/instant.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import { aCatalog, aDevice, aProduct, aRelease, NOW } from '../../support/builders.ts';

const APP = aProduct({ id: 1, bundle_id: 'com.example.app', device_limit: 5 });
const catalog = aCatalog({ products: [APP, aProduct({ id: 2, bundle_id: 'com.example.two' })] });
const WIDE = { product_id: null };

const asking = (question: Partial<LicenseQuestion>): LicenseQuestion => ({
  product_id: null,
  bundle_id: null,
  device_id: null,
  app_version: null,
  ...question,
});

const GRANTED: Access = {
  granted: true,
  access_source: 'direct',
  access_expires_at: null,
  updates_supported_until: null,
  device_limit: 2,
  edition: null,
  features: [],
  metadata: {},
};
const DENIED: Access = { granted: false, reason: 'not_entitled' };

describe('the product that a license question names', () => {
  test.each([
    [{ product_id: 1 }],
    [{ bundle_id: 'com.example.app' }],
    [{ product_id: 1, bundle_id: 'com.example.app' }],
    [{ product_id: 1, bundle_id: null }],
  ] satisfies [
    Partial<LicenseQuestion>,
  ][])('a license question by %j is about the product that it names', (question) => {
    expect(productAsked(catalog, WIDE, asking(question))).toEqual(ok(APP));
  });

  test.each([
    [{}, 'validation_failed'],
    [{ product_id: 9 }, 'not_found'],
    [{ bundle_id: 'com.example.none' }, 'not_found'],
  ] satisfies [
    Partial<LicenseQuestion>,
    string,
  ][])('a license question by %j names no product and is refused as %s', (question, code) => {
    expect(productAsked(catalog, WIDE, asking(question))).toMatchObject({ ok: false, code });
  });

  test('a caller bound to one product does not learn whether another exists', () => {
    const bound = { product_id: 1 };
    const other = productAsked(catalog, bound, asking({ bundle_id: 'com.example.two' }));
    expect(other).toMatchObject({ code: 'product_api_key_scope_required' });
    expect(productAsked(catalog, bound, asking({ bundle_id: 'com.example.none' }))).toEqual(other);
    expect(productAsked(catalog, bound, asking({ product_id: 9 }))).toEqual(other);
  });
});

describe('a license check that names its product', () => {
  const byId = asking({ product_id: 1 });
  const names = asking({ product_id: 1, bundle_id: 'com.example.two' });

  test('a license check for a product on sale is answered whether or not the account owns it', () => {
    for (const access of [GRANTED, DENIED]) expect(judgeQuestion(APP, access, byId).ok).toBe(true);
  });

  test('a license check with two names is refused unless both name the same product', () => {
    expect(judgeQuestion(APP, GRANTED, names)).toMatchObject({
      code: 'validation_failed',
      data: { errors: { bundle_id: [expect.stringContaining('another product')] } },
    });
    expect(judgeQuestion(APP, GRANTED, { ...names, bundle_id: 'com.example.app' }).ok).toBe(true);
  });

  test('a license check finds no product that is hidden from the account, by any name', () => {
    const hidden = { ...APP, published: false };
    for (const question of [byId, names]) {
      expect(judgeQuestion(hidden, DENIED, question)).toMatchObject({ code: 'not_found' });
    }
    expect(judgeQuestion(hidden, GRANTED, byId).ok).toBe(true);
  });

  test('a license check for a hidden product is answered if the account once had access', () => {
    const hidden = { ...APP, published: false };
    expect(judgeQuestion(hidden, { granted: false, reason: 'access_expired', ended_at: NOW }, byId).ok).toBe(true);
    expect(judgeQuestion(hidden, { granted: false, reason: 'entitlement_revoked' }, byId).ok).toBe(true);
  });
});

const granted: Access = {
  granted: true,
  access_source: 'bundle',
  access_expires_at: addDays(NOW, 10),
  updates_supported_until: addDays(NOW, 5),
  device_limit: 2,
  edition: null,
  features: [],
  metadata: {},
};

const REFUSED: readonly Extract<Access, { granted: false }>[] = [
  { granted: false, reason: 'not_entitled' },
  { granted: false, reason: 'access_expired', ended_at: '2026-11-20T08:05:59.000Z' },
  { granted: false, reason: 'entitlement_revoked' },
];

describe('a license decision', () => {
  test('a license is valid with access and an unrevoked device, and carries the dates of the access', () => {
    expect(decideLicense(granted, false, 'en')).toMatchObject({
      valid: true,
      code: 'valid',
      access_source: 'bundle',
      access_expires_at: addDays(NOW, 10),
      updates_supported_until: addDays(NOW, 5),
    });
  });

  test.each(
    REFUSED,
  )('a license check reports $reason before a revoked device, and the end of a past access', (access) => {
    expect(decideLicense(granted, true, 'en')).toMatchObject({ valid: false, code: 'device_revoked' });
    expect(decideLicense(access, true, 'en')).toMatchObject({
      valid: false,
      code: access.reason,
      access_source: null,
      access_expires_at: access.reason === 'access_expired' ? access.ended_at : null,
      updates_supported_until: null,
    });
  });

  test.each(
    REFUSED,
  )('a buyer with $reason whose access begins later learns when, without advice to buy or renew', (access) => {
    expect(decideLicense({ ...access, begins_at: '2026-11-24T08:05:59.000Z' }, false, 'en')).toMatchObject({
      valid: false,
      code: access.reason,
      message: 'Access to this product begins on 2026-11-24 at 08:05 UTC.',
    });
  });

  test('a buyer whose access ended learns when, in the buyer’s language', () => {
    const [, ended] = REFUSED as [Access, Access];
    expect(decideLicense(ended, false, 'en').message).toBe(
      'Your access to this product ended on 2026-11-20 at 08:05 UTC; renew it to continue.',
    );
    expect(decideLicense(ended, false, 'ko').message).toContain('2026-11-20 08:05(UTC)에 끝났습니다');
    expect(decideLicense(granted, false, 'ko').message).toBe('라이선스가 유효합니다.');
  });

  test('a blocked device is not asked to sign in again, because that would not help', () => {
    expect(decideLicense(granted, true, 'en').message).not.toMatch(/sign(ing)?[ -]in/i);
    expect(decideLicense(granted, true, 'ko').message).not.toContain('로그인');
  });
});

describe('the revocation of a device', () => {
  const listed = [{ product_id: 1, device_id: 'device-1' }];

  test('a device is revoked when its owner revoked it', () => {
    expect(isDeviceRevoked(1, 'device-1', aDevice({ revoked_at: NOW }), [])).toBe(true);
    expect(isDeviceRevoked(1, 'device-1', aDevice(), [])).toBe(false);
  });

  test('a device is revoked when the policy names it for the product, even before its first request', () => {
    expect(isDeviceRevoked(1, 'device-1', undefined, listed)).toBe(true);
    expect(isDeviceRevoked(2, 'device-1', undefined, listed)).toBe(false);
    expect(isDeviceRevoked(1, 'device-2', undefined, listed)).toBe(false);
  });

  test('a check without a device is never revoked', () => {
    expect(isDeviceRevoked(1, null, undefined, listed)).toBe(false);
  });
});

describe('the coverage of a client’s version', () => {
  const order = sparkleOrder();
  const one = aRelease({ id: 1, version: '1.0', released_at: addDays(NOW, -20) });
  const two = aRelease({ id: 2, version: '2.0', released_at: addDays(NOW, -10) });
  const patch = aRelease({ id: 3, version: '1.5', released_at: NOW });
  const releases = [one, two, patch];
  const within = (version: string | null, until: string | null) => isVersionCovered(version, releases, until, order);

  test('a known version is covered when its release date lies in the window, to the moment', () => {
    expect(within('2.0', two.released_at)).toBe(true);
    expect(within('v2.0.0', addDays(two.released_at, -1))).toBe(false);
    expect(within('1.5', two.released_at), 'older than 2.0, but published after the window').toBe(false);
  });

  test('an unknown version is covered up to the newest release within the window', () => {
    expect(within('1.9', two.released_at)).toBe(true);
    expect(within('2.1', two.released_at)).toBe(false);
    expect(within('0.1', addDays(one.released_at, -1)), 'a window that covers no release').toBe(false);
  });

  test('every version is covered while the window has no end', () => {
    expect(within('99', null)).toBe(true);
  });

  test('the coverage is unknown when the client names no version or an unreadable one', () => {
    expect(within(null, null)).toBeNull();
    expect(within('latest', null)).toBeNull();
  });

  test('a version is covered when any release of the same rank is', () => {
    const late = aRelease({ id: 4, version: '3.0-b', released_at: NOW });
    const early = aRelease({ id: 5, version: '3.0-a', released_at: two.released_at });
    for (const stored of [
      [late, early],
      [early, late],
    ]) {
      expect(isVersionCovered('3.0', stored, two.released_at, order)).toBe(true);
    }
  });

  test('a longer window never ends the coverage of a version', () => {
    const release = fc.record({
      version: fc.constantFrom('1.0', '1.1', '2.0b1', '2.0', '3'),
      released_at: fc.integer({ min: -5, max: 5 }).map((days) => addDays(NOW, days)),
    });
    const version = fc.constantFrom('0.9', '1.0', '1.0.5', '2.0', '2.5', '4');
    const day = fc.integer({ min: -6, max: 6 });
    fc.assert(
      fc.property(fc.array(release, { maxLength: 4 }), version, day, fc.nat({ max: 4 }), (made, asked, until, more) => {
        const stored = made.map((overrides, id) => aRelease({ id, ...overrides }));
        fc.pre(isVersionCovered(asked, stored, addDays(NOW, until), order) === true);
        expect(isVersionCovered(asked, stored, addDays(NOW, until + more), order)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a device that two machines use', () => {
  const at = [addDays(NOW, -2), addDays(NOW, -1), NOW];
  const shared = aDevice({ continuation: { current: 'b', before: 'a', mismatches: at } });

  test('a device that two machines use is refused by a product that says so alone', () => {
    expect(isSharedDeviceRefused({ shared_devices: 'refused' }, shared)).toBe(true);
    for (const shared_devices of ['allowed', undefined] as const) {
      expect(isSharedDeviceRefused({ shared_devices }, shared)).toBe(false);
    }
    expect(isSharedDeviceRefused({ shared_devices: 'refused' }, aDevice())).toBe(false);
    expect(isSharedDeviceRefused({ shared_devices: 'refused' }, undefined)).toBe(false);
  });

  test('a device that two machines use counts after missing access and a revoked device', () => {
    expect(decideLicense(GRANTED, false, 'en', true)).toMatchObject({ valid: false, code: 'device_shared' });
    expect(decideLicense(GRANTED, true, 'en', true).code).toBe('device_revoked');
    expect(decideLicense(DENIED, false, 'en', true).code).toBe('not_entitled');
  });
});

describe('the answer to a license check', () => {
  const checked = (access: Access, more: Partial<CheckedLicense> = {}): CheckedLicense => ({
    decision: decideLicense(access, false, 'en'),
    product: APP,
    access,
    seat: { device: aDevice(), used: 1 },
    versionCovered: access.granted
      ? isVersionCovered('1.0.0', [aRelease()], access.updates_supported_until, sparkleOrder())
      : null,
    manageUrl: 'https://manage',
    locale: 'en',
    now: NOW,
    ...more,
  });

  test('the response to a license check shows the device and the device limit of the access', () => {
    expect(licenseView(checked(GRANTED))).toMatchObject({
      valid: true,
      product: { id: 1, name: 'Product 1', bundle_id: 'com.example.app' },
      version_covered: true,
      device: { device_id: 'device-1' },
      devices: { used: 1, limit: 2 },
      checked_at: NOW,
    });
  });

  test('the response to a license check hides a device that may not run the product, and shows the product’s limit without access', () => {
    const revoked = licenseView(checked(GRANTED, { decision: decideLicense(GRANTED, true, 'en') }));
    expect([revoked.code, revoked.device]).toEqual(['device_revoked', null]);
    expect(licenseView(checked(DENIED))).toMatchObject({
      device: null,
      version_covered: null,
      devices: { used: 1, limit: 5 },
    });
  });
});

describe('a license token', () => {
  const POLICY = { ...DEFAULT_POLICY, ttl_days: 14, recheck_hours: 12 };
  const ANSWER: LicenseAnswer = {
    ...decideLicense(GRANTED, false, 'en'),
    product: { id: 1, bundle_id: 'com.example.notes' },
    device: { device_id: 'laptop' },
    version_covered: true,
    checked_at: '2026-11-21T08:30:00.000Z',
  };
  const seconds = (moment: Instant): number => Date.parse(moment) / 1000;
  const claimsOf = (changes: Partial<LicenseAnswer> = {}) =>
    tokenClaims({ ...ANSWER, ...changes }, 7, POLICY, 'https://api.example.com');

  test('a token is a copy of the decision for its account', () => {
    expect(claimsOf()).toEqual({
      iss: 'https://api.example.com',
      sub: '7',
      iat: seconds(NOW),
      exp: seconds(addDays(NOW, 14)),
      valid: true,
      code: 'valid',
      product_id: 1,
      bundle_id: 'com.example.notes',
      device_id: 'laptop',
      access_source: 'direct',
      access_expires_at: null,
      updates_supported_until: null,
      version_covered: true,
    });
  });

  test('a token contains the edition, features and texts, if there are any', () => {
    const terms = { edition: 'pro', features: ['export'], metadata: { plan: 'a' } };
    expect(claimsOf(terms)).toMatchObject(terms);
  });

  test('a token is valid for the product’s days, or without end, but not beyond its slot', () => {
    const expOf = (
      ttl_days: number | null | undefined,
      slotEnds: Instant | null = null,
      offline = false,
      perpetual: boolean | null = true,
    ) => {
      const ttl = tokenTtl({ ttl_days }, POLICY, { perpetual });
      const claims = tokenClaims(ANSWER, 7, ttl, 'https://api.example.com', offline, slotEnds);
      return [claims?.exp, claims?.perpetual];
    };
    expect(expOf(undefined)).toEqual([seconds(addDays(NOW, 14)), undefined]);
    expect(expOf(90)).toEqual([seconds(addDays(NOW, 90)), undefined]);
    expect(expOf(null)).toEqual([253_370_764_800, true]);
    expect(expOf(null, addDays(NOW, 800))).toEqual([seconds(addDays(NOW, 800)), true]);
    expect(expOf(null, null, false, null)).toEqual([seconds(addDays(NOW, 400)), undefined]);
    expect(expOf(14, null, true)).toEqual([seconds(addDays(NOW, 365)), undefined]);
    expect(expOf(null, null, true)).toEqual([253_370_764_800, true]);
    expect(expOf(null, addDays(NOW, 800), true)).toEqual([seconds(addDays(NOW, 800)), true]);
  });

  test('a decision without a slot and a refusal have no token', () => {
    expect(claimsOf({ device: null })).toBeNull();
    expect(claimsOf({ valid: false, code: 'access_expired' })).toBeNull();
  });

  test('the same decision gives the same token within one hour', () => {
    expect(claimsOf({ checked_at: '2026-11-21T08:59:59.999Z' })).toEqual(claimsOf({ checked_at: NOW }));
    expect(claimsOf({ checked_at: '2026-11-21T09:00:00.000Z' })).not.toEqual(claimsOf({ checked_at: NOW }));
  });

  test('a token never outlives the access', () => {
    expect(claimsOf({ access_expires_at: addDays(NOW, 13) })).toMatchObject({ exp: seconds(addDays(NOW, 13)) });
    expect(claimsOf({ access_expires_at: addDays(NOW, 15) })).toMatchObject({ exp: seconds(addDays(NOW, 14)) });
  });

  test('every decision says when to check again', () => {
    expect(recheckAfter(ANSWER, POLICY)).toBe('2026-11-21T20:30:00.000Z');
  });
});
