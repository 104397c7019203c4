import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holdsLock, isHeld, lockOf, renewedLock } from '../../../../domain/design/collect/run-rules.ts';
import { millis, toInstant } from '../../../../domain/shared/instant.ts';
import { NOW } from '../../../support/builders.ts';
import { AGENT, aLock, aRun } from '../../../support/collect-builders.ts';

const at = (seconds: number): string => toInstant(millis(NOW) + seconds * 1000);

describe('the lease of a collect run', () => {
  test('a run gets the lock for a whole lease when it opens', () => {
    const lock = lockOf(aRun(), 600, NOW);
    expect(lock).toEqual({ run_id: 5, agent_name: AGENT.name, opened_at: NOW, expires_at: at(600) });
  });

  test('a lock is held until its lease ends and is free at that moment', () => {
    const lock = aLock(at(10));
    expect(isHeld(lock, at(9.999))).toBe(true);
    expect(isHeld(lock, at(10))).toBe(false);
    expect(isHeld(undefined, NOW)).toBe(false);
    expect(isHeld(aLock(at(86_400)), NOW)).toBe(true);
    expect(isHeld(aLock('2036-01-01T00:00:00.000Z'), NOW)).toBe(false);
  });

  test('a lock is held only by the run that it names', () => {
    expect(holdsLock({ id: 5 }, aLock(at(10)), NOW)).toBe(true);
    expect(holdsLock({ id: 6 }, aLock(at(10)), NOW)).toBe(false);
    expect(holdsLock({ id: 5 }, aLock(at(10)), at(10))).toBe(false);
  });

  test.each([
    ['exactly three quarters are left', 150, undefined],
    ['less than three quarters are left', 151, at(751)],
    ['one millisecond is left', 599.999, at(1199.999)],
    ['it has ended', 600, undefined],
    ['it ended long ago', 6000, undefined],
  ])('an upload when %s extends a lease of 600 seconds accordingly', (_, seconds, end) => {
    expect(renewedLock(aLock(at(600)), 600, at(seconds))?.expires_at).toBe(end);
  });

  test('a lease never ends while uploads come within a quarter of it, and a renewal never shortens it', () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(gaps, (steps) => {
        let [lock, seconds] = [aLock(at(100)), 0];
        for (const step of steps) {
          seconds += step;
          expect(isHeld(lock, at(seconds))).toBe(true);
          const renewed = renewedLock(lock, 100, at(seconds));
          if (renewed) expect(renewed.expires_at > lock.expires_at).toBe(true);
          lock = renewed ?? lock;
        }
      }),
    );
  });
});
