import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { millis, toInstant } from '../../../domain/shared/instant.ts';
import {
  attemptWindow,
  currentPasswordLimits,
  deviceSignInLimits,
  linkLimits,
  passwordLimits,
  userCodeLimits,
} from '../../../domain/sign-in/attempts.ts';
import { isKnownTo, newKnownBrowser } from '../../../domain/sign-in/session.ts';
import { NOW } from '../../support/builders.ts';

const ADDRESS = '203.0.113.7';
const subjects = (limits: readonly { subject: string }[]): string[] => limits.map(({ subject }) => subject);

describe('the window of a limit', () => {
  test('every moment lies in one window, which ends after it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 1, max: 1440 }), (moment, minutes) => {
        const { id, ends_at, left } = attemptWindow({ minutes }, toInstant(moment));
        expect(ends_at * 1000).toBeGreaterThan(moment);
        expect(left).toBeGreaterThanOrEqual(1);
        expect(left).toBeLessThanOrEqual(minutes * 60);
        expect(attemptWindow({ minutes }, toInstant(ends_at * 1000)).id).toBe(id + 1);
        expect(attemptWindow({ minutes }, toInstant(ends_at * 1000 - 1)).id).toBe(id);
      }),
    );
  });
});

describe('the limits on passwords', () => {
  test('strangers are limited by IP address first, so one of them does not use up the account’s attempts', () => {
    expect(passwordLimits('e', ADDRESS, null)).toEqual([
      { subject: `SIGNIN#ADDRESS#${ADDRESS}`, most: 30, minutes: 15 },
      { subject: `SIGNIN#EMAIL#e#${ADDRESS}`, most: 10, minutes: 15 },
      { subject: 'SIGNIN#EMAIL#e', most: 60, minutes: 60 },
    ]);
  });

  test('a known browser shares no count with strangers', () => {
    expect(passwordLimits('e', ADDRESS, 'b')).toEqual([
      { subject: 'SIGNIN#BROWSER#b', most: 10, minutes: 15 },
      { subject: 'SIGNIN#BROWSERS#e', most: 30, minutes: 15 },
    ]);
    const known = subjects(passwordLimits('e', ADDRESS, 'b'));
    const strangers = subjects(passwordLimits('e', ADDRESS, null));
    expect(known.filter((subject) => strangers.includes(subject))).toEqual([]);
  });

  test('all addresses of an IPv6 network count as one', () => {
    expect(passwordLimits('e', '2001:db8::1', null)).toEqual(passwordLimits('e', '2001:db8::2', null));
    expect(linkLimits('2001:db8::1')).toEqual(linkLimits('2001:db8::2'));
    expect(deviceSignInLimits('2001:db8::1')).toEqual(deviceSignInLimits('2001:db8::2'));
    expect(userCodeLimits(1, '2001:db8::1')).toEqual(userCodeLimits(1, '2001:db8::2'));
  });

  test('limits of different kinds share no count', () => {
    const all = [
      passwordLimits('1', '1', null),
      passwordLimits('1', '1', '1'),
      currentPasswordLimits(1),
      userCodeLimits(1, '1'),
      linkLimits('1'),
      deviceSignInLimits('1'),
    ].flatMap(subjects);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('a known browser', () => {
  test('a browser is known to the account that it signed in to, for 180 days', () => {
    const browser = newKnownBrowser('h', 1, NOW);
    const end = toInstant(millis(NOW) + 180 * 86_400_000);
    expect(isKnownTo(browser, 1, toInstant(millis(end) - 1))).toBe(true);
    expect(isKnownTo(browser, 1, end)).toBe(false);
    expect(isKnownTo(browser, 2, NOW)).toBe(false);
    expect(isKnownTo(undefined, 1, NOW)).toBe(false);
  });
});
