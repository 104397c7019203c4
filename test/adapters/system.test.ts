import { describe, expect, test } from 'vitest';
import { systemClock, systemIds } from '../../adapters/system/system.ts';
import { type Instant, toInstant } from '../../domain/shared/instant.ts';

describe('the system clock', () => {
  test('the system clock gives the time in UTC with milliseconds', () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(now).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(now)).toBeLessThanOrEqual(Date.now());
  });
});

describe('the system ids', () => {
  const EPOCH = Date.UTC(2024, 0, 1);
  const at = (...instants: Instant[]) => {
    let n = 0;
    return systemIds({ now: () => instants[Math.min(n++, instants.length - 1)] as Instant });
  };

  test('ids grow and never repeat, even when a millisecond runs out of ids', () => {
    const ids = at('2026-11-21T08:00:00.000Z');
    const made = Array.from({ length: 10_000 }, () => ids.next());
    expect(made.every((id, n) => n === 0 || id > (made[n - 1] as number))).toBe(true);
  });

  test('ids grow even when the clock goes back', () => {
    const ids = at('2026-11-21T08:00:00.000Z', '2026-11-21T07:00:00.000Z', '2026-11-21T07:00:00.001Z');
    const [a, b, c] = [ids.next(), ids.next(), ids.next()];
    expect([a, b, c]).toEqual([a, b, c].toSorted((x, y) => x - y));
    expect(new Set([a, b, c]).size).toBe(3);
  });

  test('ids stay unique after a millisecond that used ids of the next one', () => {
    const instants = Array.from({ length: 9000 }, (_, n) => toInstant(Date.UTC(2026, 10, 21) + Math.floor(n / 5000)));
    const ids = at(...instants);
    expect(new Set(instants.map(() => ids.next())).size).toBe(9000);
  });

  test('an id contains the millisecond of its creation', () => {
    const now = '2026-11-21T08:00:00.123Z';
    expect(toInstant(Math.floor(at(now).next() / 4096) + EPOCH)).toBe(now);
  });

  test('ids differ between processes that start in the same millisecond', () => {
    const firsts = Array.from({ length: 50 }, () => at('2026-11-21T08:00:00.000Z').next());
    expect(new Set(firsts).size).toBeGreaterThan(25);
  });

  test('ids are safe integers until 2093', () => {
    expect(Number.isSafeInteger(at('2093-01-01T00:00:00.000Z').next())).toBe(true);
  });

  test('ids follow the machine’s clock by default', () => {
    const made = Math.floor(systemIds().next() / 4096) + EPOCH;
    expect(Math.abs(made - Date.now())).toBeLessThan(1000);
  });
});
