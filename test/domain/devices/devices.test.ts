import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deviceIdOf, hasFreeSlot, isUnseenToday } from '../../../domain/devices/seat.ts';
import {
  installFaults,
  installRecord,
  lastOfEachDay,
  type UsageDay,
  usageFaults,
} from '../../../domain/devices/usage.ts';
import { addDays, isCalendarDay, millis, toInstant } from '../../../domain/shared/instant.ts';
import { aDevice, NOW } from '../../support/builders.ts';

test.each([
  ['the last one', 2, 3, true],
  ['none after it', 3, 3, false],
  ['none where the limit was lowered below the number in use', 5, 2, false],
  ['none of no places', 0, 0, false],
  ['the last of 100,000 where there is no limit', 99_999, null, true],
  ['none after 100,000', 100_000, null, false],
])('a new device gets %s', (_, used, limit, free) => {
  expect(hasFreeSlot(used, limit)).toBe(free);
});

test('no activation brings the number of devices in use above the limit', () => {
  const device = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const step = fc.oneof(
    fc.record({ activate: device }),
    fc.record({ activate: device }),
    fc.record({ release: device }),
    fc.record({ limit: fc.constantFrom(null, 0, 1, 2, 3) }),
  );
  fc.assert(
    fc.property(fc.constantFrom(null, 0, 1, 2, 3), fc.array(step, { maxLength: 40 }), (first, steps) => {
      const inUse = new Set<string>();
      let limit = first;
      for (const step of steps) {
        if ('limit' in step) limit = step.limit;
        else if ('release' in step) inUse.delete(step.release);
        else if (!inUse.has(step.activate)) {
          const free = limit === null || inUse.size < limit;
          const admitted = hasFreeSlot(inUse.size, limit);
          expect(admitted, 'a free slot is given').toBe(free);
          if (admitted) inUse.add(step.activate);
          if (admitted && limit !== null) expect(inUse.size).toBeLessThanOrEqual(limit);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('a device is recorded as seen once per UTC day', () => {
  const device = aDevice({ last_seen_at: '2026-11-21T00:00:00.000Z' });
  expect(isUnseenToday(device, '2026-11-21T23:59:59.999Z')).toBe(false);
  expect(isUnseenToday(device, '2026-11-22T00:00:00.000Z')).toBe(true);
});

describe('a usage date', () => {
  test.each(['2026-11-21', '2024-02-29', '0001-01-01'])('%s is a valid usage date', (day) =>
    expect(isCalendarDay(day)).toBe(true));

  test.each([
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '20261121',
    '2026-11-21T00:00',
    '',
    'x',
  ])('%j is not a valid usage date', (day) => expect(isCalendarDay(day)).toBe(false));
});

describe('a usage batch', () => {
  const aDay = (overrides: Partial<UsageDay> = {}): UsageDay => ({
    product_id: 1,
    usage_date: '2026-11-21',
    launches: 1,
    ...overrides,
  });
  const only1 = ({ product_id }: UsageDay) => product_id === 1;

  test('a usage batch may name tomorrow in UTC and the day 366 days ago, and nothing beyond them', () => {
    const days = [
      aDay({ usage_date: '2026-11-22' }),
      aDay({ usage_date: '2026-11-23' }),
      aDay({ usage_date: '2025-11-20' }),
      aDay({ usage_date: '2025-11-19' }),
    ];
    const faults = {
      'days.1.usage_date': ['The usage date must not be after 2026-11-22.'],
      'days.3.usage_date': ['The usage date must not be before 2025-11-20.'],
    };
    expect(usageFaults(days, only1, '2026-11-21T00:00:00.000Z')).toEqual(faults);
    expect(usageFaults(days, only1, '2026-11-21T23:59:59.999Z')).toEqual(faults);
  });

  test('a usage batch has a fault at each row of a product that may not be used', () => {
    const days = [aDay({ product_id: 2, usage_date: '2027-01-01' }), aDay(), aDay({ product_id: 3 })];
    expect(Object.keys(usageFaults(days, only1, '2026-11-21T08:00:00.000Z'))).toEqual([
      'days.0.usage_date',
      'days.2.product_id',
    ]);
  });

  test('a usage batch keeps only the last row of each product and day', () => {
    const day = fc.record({
      product_id: fc.constantFrom(1, 2, 11),
      usage_date: fc.constantFrom('2026-11-20', '2026-11-21'),
      launches: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(day, { maxLength: 12 }), (rows) => {
        const days = rows.map((row) => aDay(row));
        const kept = lastOfEachDay(days);
        const same = (a: UsageDay) => (b: UsageDay) => a.product_id === b.product_id && a.usage_date === b.usage_date;
        for (const row of days) expect(kept.filter(same(row))).toEqual([days.findLast(same(row))]);
        expect(days).toEqual(expect.arrayContaining(kept));
      }),
    );
  });
});

describe('an install', () => {
  const whose = { id: 1, account_id: 2, key_id: 3 };

  test('an install is stored as the device reports it, with the checksum in lower case and the time in UTC', () => {
    const report = {
      product_id: 4,
      version: '1.0.0',
      bundle_id: 'com.example.app',
      installed_at: '2026-11-20T09:00:00+09:00',
      release_id: 5,
      artifact_sha256: 'AB'.repeat(32),
    };
    expect(installRecord(report, whose, NOW)).toEqual({
      ...report,
      ...whose,
      installed_at: '2026-11-20T00:00:00.000Z',
      artifact_sha256: 'ab'.repeat(32),
      recorded_at: NOW,
    });
  });

  test('an install without a time happened now', () => {
    const report = {
      product_id: 4,
      version: '1.0.0',
      bundle_id: null,
      installed_at: null,
      release_id: null,
      artifact_sha256: null,
    };
    expect(installRecord(report, whose, NOW)).toEqual({
      ...whose,
      product_id: 4,
      version: '1.0.0',
      bundle_id: null,
      installed_at: NOW,
      release_id: null,
      artifact_sha256: null,
      recorded_at: NOW,
    });
  });
});

describe('the time and the release that a device reports with an install', () => {
  const RELEASES = [
    { id: 5, released_at: NOW },
    { id: 6, released_at: addDays(NOW, 1) },
  ];
  const faultsOf = (installed_at: string | null, release_id: number | null = null) =>
    Object.keys(installFaults({ installed_at, release_id }, RELEASES, NOW));

  test('the time of an install lies between the year 2000 and a day from now', () => {
    expect(faultsOf('2000-01-01T00:00:00.000Z')).toEqual([]);
    expect(faultsOf('1999-12-31T23:59:59.999Z')).toEqual(['installed_at']);
    expect(faultsOf(addDays(NOW, 1))).toEqual([]);
    expect(faultsOf(toInstant(millis(addDays(NOW, 1)) + 1))).toEqual(['installed_at']);
  });

  test('an install may name a release once it is out', () => {
    expect(faultsOf(null, 5)).toEqual([]);
    expect(faultsOf(null, 6)).toEqual(['release_id']);
    expect(faultsOf(null, 7)).toEqual(['release_id']);
  });
});

test('a device id has at most 255 characters in its stored form and is one visible line', () => {
  expect(deviceIdOf('a'.repeat(255))).toBe('a'.repeat(255));
  expect(deviceIdOf('a'.repeat(256))).toBeNull();
  expect(deviceIdOf('e\u0301'.repeat(255))).toBe('\u00e9'.repeat(255));
  expect(['', ' ', 'a\nb'].map(deviceIdOf)).toEqual([null, null, null]);
});
