import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Continuation, continued, isShared, newValue } from '../../../domain/devices/continuation.ts';
import { addDays, dayOf, millis, toInstant } from '../../../domain/shared/instant.ts';
import { NOW } from '../../support/builders.ts';

const check = (state: Continuation | undefined, presented: string | null, isFirstOfDay: boolean, now = NOW) =>
  continued(state, { presented, fresh: 'new', isFirstOfDay, now });
const mismatched = (mismatches: readonly string[]): Continuation => ({ current: 'c', before: 'b', mismatches });

describe('the continuation values that a device returns with its checks', () => {
  const state = { current: 'c', before: 'b' };

  test.each([
    ['the current value begins a day with a new one', state, 'c', true, { current: 'new', before: 'c' }, 'new'],
    ['the current value stays for the rest of the day', state, 'c', false, state, 'c'],
    ['a lost answer leaves the value of before good for its day', state, 'b', false, state, 'b'],
    ['a lost answer leaves it good on the next day', state, 'b', true, { current: 'new', before: 'b' }, 'new'],
    ['a client without a value gets the current one', state, null, true, state, 'c'],
    ['a device without a value gets one on the first check of a day', undefined, 'x', true, { current: 'new' }, 'new'],
    ['a device without a value gets none later, which would be a write', undefined, 'x', false, undefined, null],
    ['another value counts', state, 'x', false, { current: 'new', before: 'x', mismatches: [NOW] }, 'new'],
  ])('%s', (_, before, presented, isFirstOfDay, after, answer) => {
    expect(check(before, presented, isFirstOfDay)).toEqual({ state: after, answer });
  });

  test.each([
    ['of another account', '2.1.x'],
    ['of another product', '1.2.x'],
    ['that the server never gives', 'x'],
  ])('the continuation value %s is not a mismatch, except a value of a merged account’s device', (_, presented) => {
    const own = { current: newValue(1, 1, 5), before: '7.1.4' };
    const by = (value: string) =>
      continued(own, { presented: value, fresh: newValue(1, 1, 6), isFirstOfDay: true, now: NOW });
    expect(by(presented)).toEqual({ state: own, answer: own.current });
    expect(by('7.1.4')).toEqual({ state: { current: '1.1.6', before: '7.1.4' }, answer: '1.1.6' });
    expect(by('1.1.3').state?.mismatches).toEqual([NOW]);
  });

  test('a client that sends no continuation values never gets a mismatch', () => {
    const input = { presented: null, fresh: null, isFirstOfDay: true, now: NOW };
    expect(continued(state, input)).toEqual({ state, answer: null });
    expect(continued(undefined, input)).toEqual({ state: undefined, answer: null });
  });

  test('three mismatches on two days within 30 days mark a device as shared', () => {
    const isSharedAfter = (before: readonly string[]) => {
      const next = check(mismatched(before), 'x', false).state;
      return next !== undefined && isShared(next);
    };
    expect(isSharedAfter([addDays(NOW, -29), addDays(NOW, -29)])).toBe(true);
    expect(isSharedAfter([addDays(NOW, -29), NOW])).toBe(true);
    expect(isSharedAfter([NOW, NOW, NOW])).toBe(false);
    expect(isSharedAfter([addDays(NOW, -30), NOW])).toBe(false);
    expect(isSharedAfter([addDays(NOW, -1)])).toBe(false);
  });

  test('a shared device changes no more', () => {
    const shared = mismatched([addDays(NOW, -2), addDays(NOW, -1), addDays(NOW, -1)]);
    for (const presented of ['c', 'b', 'x']) {
      expect(check(shared, presented, true, addDays(NOW, 100))).toEqual({ state: shared, answer: presented });
    }
  });
});

/** A server with one device, whose checks are in chronological order. */
const aServer = () => {
  let state: Continuation | undefined = { current: 'first' };
  let seen = dayOf(NOW);
  let made = 0;
  return {
    check: (presented: string | null, now: string): string | null => {
      const isFirstOfDay = seen < dayOf(now);
      const after = continued(state, { presented, fresh: `${made++}`, isFirstOfDay, now });
      if (isFirstOfDay || after.state !== state) [state, seen] = [after.state, dayOf(now)];
      return after.answer;
    },
    isShared: () => state !== undefined && isShared(state),
  };
};

/** A moment of a day, from its first second to its last. */
const at = (day: number, second: number): string =>
  toInstant(millis(`${dayOf(addDays(NOW, day))}T00:00:00Z`) + second * 1000);
const seconds = fc.integer({ min: 0, max: 86_399 });

describe('two machines that run copies of one folder', () => {
  test('copies are detected within five days if each machine checks daily, in any order and however often', () => {
    const day = fc
      .array(fc.nat(1), { maxLength: 6 })
      .chain((more) => fc.shuffledSubarray([0, 1, ...more], { minLength: 2 + more.length }));
    fc.assert(
      fc.property(fc.array(day, { minLength: 5, maxLength: 5 }), (days) => {
        const server = aServer();
        const folders: (string | null)[] = ['first', 'first'];
        for (const [n, order] of days.entries()) {
          for (const [turn, machine] of order.entries())
            folders[machine] = server.check(folders[machine]!, at(n + 1, turn));
        }
        expect(server.isShared()).toBe(true);
      }),
    );
  });

  test('copies are detected if each machine checks once a week', () => {
    const server = aServer();
    const folders: (string | null)[] = ['first', 'first'];
    for (let week = 1; week <= 4; week++) {
      for (const machine of [0, 1]) folders[machine] = server.check(folders[machine]!, at(7 * week + 3 * machine, 0));
    }
    expect(server.isShared()).toBe(true);
  });
});

describe('one machine', () => {
  /** Eight processes check with one folder; a check reads it, and writes its answer later that day, or loses it. */
  const one = fc.record({
    second: seconds,
    takes: fc.integer({ min: 0, max: 900 }),
    lost: fc.boolean(),
    retries: fc.nat(2),
  });
  const days = fc.array(fc.array(one, { maxLength: 8 }), { minLength: 1, maxLength: 30 });

  /** Runs the checks of the days with one folder, which `putBack` restores before a day. */
  const run = (
    all: readonly (readonly { second: number; takes: number; lost: boolean; retries: number }[])[],
    putBack: (day: number, folder: string | null) => string | null,
  ) => {
    const server = aServer();
    let folder: string | null = 'first';
    for (const [n, checks] of all.entries()) {
      folder = putBack(n, folder);
      const steps = checks.flatMap(({ second, takes, lost, retries }) => {
        const [begin, end] = [Math.min(second, 86_399 - takes), Math.min(second, 86_399 - takes) + takes];
        let read: string | null = null;
        let answer: string | null = null;
        return [
          { at: begin, step: () => void (read = folder) },
          ...Array.from({ length: retries + 1 }, (_, retry) => ({
            at: begin + (takes * retry) / (retries + 1),
            step: () => void (answer = server.check(read, at(n + 1, begin))),
          })),
          ...(lost ? [] : [{ at: end, step: () => void (folder = answer) }]),
        ];
      });
      for (const { step } of steps.toSorted((a, b) => a.at - b.at)) step();
    }
    return server.isShared();
  };

  test('one machine is never called shared because of lost responses, retries or processes that share its folder', () => {
    fc.assert(
      fc.property(days, (all) => {
        expect(run(all, (_, folder) => folder)).toBe(false);
      }),
    );
  });

  test('one machine is never called shared when its folder is restored once, or repeatedly from one snapshot', () => {
    const once = fc.tuple(days, fc.nat(29), fc.nat(29));
    fc.assert(
      fc.property(once, ([all, saved, back]) => {
        let backup: string | null = 'first';
        const restored = run(all, (day, folder) => {
          if (day === saved) backup = folder;
          return day === Math.max(saved, back) ? backup : folder;
        });
        expect(restored).toBe(false);
        expect(run(all, (day, folder) => (day < saved ? folder : (backup = day === saved ? folder : backup)))).toBe(
          false,
        );
      }),
    );
  });
});
