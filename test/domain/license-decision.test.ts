import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isVersionCovered } from '../../domain/delivery/version-coverage.ts';
import { sparkleOrder } from '../../domain/delivery/version-order.ts';
import type { Access } from '../../domain/licensing/access.ts';
import { decideLicense, isDeviceRevoked } from '../../domain/licensing/license-decision.ts';
import { addDays } from '../../domain/shared/instant.ts';
import { aDevice, aRelease, NOW } from '../support/builders.ts';

const granted: Access = {
  granted: true,
  access_source: 'bundle',
  access_expires_at: addDays(NOW, 10),
  updates_supported_until: addDays(NOW, 5),
  device_limit: 2,
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

  test.each(REFUSED)('a license decision reports $reason before a revoked device, and when access ended', (access) => {
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
  )('a buyer with $reason whose access begins later is told when, and not to buy or to renew', (access) => {
    expect(decideLicense({ ...access, begins_at: '2026-11-24T08:05:59.000Z' }, false, 'en')).toMatchObject({
      valid: false,
      code: access.reason,
      message: 'Access to this product begins on 2026-11-24 at 08:05 UTC.',
    });
  });

  test('a buyer whose access ended is told when, in the own language', () => {
    const [, ended] = REFUSED as [Access, Access];
    expect(decideLicense(ended, false, 'en').message).toBe(
      'Your access to this product ended on 2026-11-20 at 08:05 UTC; renew it to continue.',
    );
    expect(decideLicense(ended, false, 'ko').message).toContain('2026-11-20 08:05(UTC)에 끝났습니다');
    expect(decideLicense(granted, false, 'ko').message).toBe('라이선스가 유효합니다.');
  });

  test('a blocked device is not told to sign in again, which would not help', () => {
    expect(decideLicense(granted, true, 'en').message).not.toContain('sign in');
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
