import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sparkleOrder } from '../../domain/delivery/version-order.ts';
import type { Access } from '../../domain/licensing/access.ts';
import { decideLicense, isDeviceRevoked, isVersionCovered } from '../../domain/licensing/license-decision.ts';
import { addDays } from '../../domain/shared/instant.ts';
import { aDevice, aRelease, NOW } from '../support/builders.ts';

const granted: Access = {
  granted: true,
  access_source: 'bundle',
  access_expires_at: addDays(NOW, 10),
  updates_supported_until: addDays(NOW, 5),
  device_limit: 2,
};

describe('a license decision', () => {
  test('is valid with access and a device in good standing, and tells how long', () => {
    expect(decideLicense(granted, false)).toMatchObject({
      valid: true,
      code: 'valid',
      access_source: 'bundle',
      access_expires_at: addDays(NOW, 10),
      updates_supported_until: addDays(NOW, 5),
    });
  });

  test('puts missing access before a revoked device', () => {
    expect(decideLicense(granted, true)).toMatchObject({ valid: false, code: 'device_revoked' });
    for (const reason of ['not_entitled', 'access_expired', 'entitlement_revoked'] as const) {
      expect(decideLicense({ granted: false, reason }, true)).toMatchObject({
        valid: false,
        code: reason,
        access_source: null,
        access_expires_at: null,
        updates_supported_until: null,
      });
    }
  });
});

describe('a device is revoked', () => {
  const listed = [{ product_id: 1, device_id: 'device-1' }];

  test('by its owner', () => {
    expect(isDeviceRevoked(1, 'device-1', aDevice({ revoked_at: NOW }), [])).toBe(true);
    expect(isDeviceRevoked(1, 'device-1', aDevice(), [])).toBe(false);
  });

  test('by the policy, for the product it names, also before the device ever came', () => {
    expect(isDeviceRevoked(1, 'device-1', undefined, listed)).toBe(true);
    expect(isDeviceRevoked(2, 'device-1', undefined, listed)).toBe(false);
    expect(isDeviceRevoked(1, 'device-2', undefined, listed)).toBe(false);
  });

  test('never where there is no device', () => {
    expect(isDeviceRevoked(1, null, undefined, listed)).toBe(false);
  });
});

describe('a client’s version is covered', () => {
  const order = sparkleOrder();
  const one = aRelease({ id: 1, version: '1.0', released_at: addDays(NOW, -20) });
  const two = aRelease({ id: 2, version: '2.0', released_at: addDays(NOW, -10) });
  const patch = aRelease({ id: 3, version: '1.5', released_at: NOW });
  const releases = [one, two, patch];
  const within = (version: string | null, until: string | null) => isVersionCovered(version, releases, until, order);

  test('by the date of its release, where the store knows it, to the moment', () => {
    expect(within('2.0', two.released_at)).toBe(true);
    expect(within('v2.0.0', addDays(two.released_at, -1))).toBe(false);
    expect(within('1.5', two.released_at), 'older than 2.0, but published after the window').toBe(false);
  });

  test('up to the newest release within the window, where the store does not know it', () => {
    expect(within('1.9', two.released_at)).toBe(true);
    expect(within('2.1', two.released_at)).toBe(false);
    expect(within('0.1', addDays(one.released_at, -1)), 'a window that covers no release').toBe(false);
  });

  test('whatever it is, while the window has no end', () => {
    expect(within('99', null)).toBe(true);
  });

  test('neither yes nor no where there is no version to judge', () => {
    expect(within(null, null)).toBeNull();
    expect(within('latest', null)).toBeNull();
  });

  test('where any of several releases that rank the same is', () => {
    const late = aRelease({ id: 4, version: '3.0-b', released_at: NOW });
    const early = aRelease({ id: 5, version: '3.0-a', released_at: two.released_at });
    for (const stored of [
      [late, early],
      [early, late],
    ]) {
      expect(isVersionCovered('3.0', stored, two.released_at, order)).toBe(true);
    }
  });

  test('no less by a longer window', () => {
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
