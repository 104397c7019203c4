import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, dayOf, earlierEnd, hasPassed, laterEnd, millis, toInstant } from '../../domain/shared/instant.ts';
import { inLocale, localeServed } from '../../domain/shared/locale.ts';
import { NOW } from '../support/builders.ts';

const moment = fc.integer({ min: Date.parse('0001-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59Z') });
const instant = moment.map((ms) => toInstant(ms));
const end = fc.option(instant, { nil: null });

describe('an instant', () => {
  test('is written in UTC with milliseconds, and read back the same', () => {
    expect(toInstant(new Date('2026-11-21T17:00:00+09:00'))).toBe(NOW);
    fc.assert(fc.property(moment, (ms) => millis(toInstant(ms)) === ms));
  });

  test('sorts as text as it does in time', () => {
    fc.assert(fc.property(moment, moment, (a, b) => toInstant(a) < toInstant(b) === a < b));
  });

  test('moves by days of 24 hours, over months and leap days', () => {
    expect(addDays('2024-02-28T08:00:00.000Z', 2)).toBe('2024-03-01T08:00:00.000Z');
    expect(addDays(NOW, -21)).toBe('2026-10-31T08:00:00.000Z');
  });

  test('lies on its day in UTC', () => {
    expect(dayOf('2026-11-21T23:59:59.999Z')).toBe('2026-11-21');
  });
});

describe('an end', () => {
  test('has passed from its own moment on, and never where there is none', () => {
    expect(hasPassed(NOW, NOW)).toBe(true);
    expect(hasPassed(toInstant(millis(NOW) + 1), NOW)).toBe(false);
    expect(hasPassed(null, NOW)).toBe(false);
  });

  test('none is later than any other', () => {
    expect([laterEnd(null, NOW), laterEnd(NOW, null), laterEnd(null, null)]).toEqual([null, null, null]);
    expect([earlierEnd(null, NOW), earlierEnd(NOW, null), earlierEnd(null, null)]).toEqual([NOW, NOW, null]);
  });

  test('of two the later and the earlier are these two, whichever comes first', () => {
    fc.assert(
      fc.property(end, end, instant, (a, b, now) => {
        expect(laterEnd(a, b)).toBe(laterEnd(b, a));
        expect(earlierEnd(a, b)).toBe(earlierEnd(b, a));
        expect([laterEnd(a, b), earlierEnd(a, b)].sort()).toEqual([a, b].sort());
        expect(hasPassed(laterEnd(a, b), now)).toBe(hasPassed(a, now) && hasPassed(b, now));
        expect(hasPassed(earlierEnd(a, b), now)).toBe(hasPassed(a, now) || hasPassed(b, now));
      }),
    );
  });
});

describe('a text', () => {
  test('is given in the language asked for, else in the other', () => {
    expect(inLocale({ en: 'Notes', ko: '메모' }, 'ko')).toBe('메모');
    expect(inLocale({ en: 'Notes' }, 'ko')).toBe('Notes');
    expect(inLocale({ ko: '메모' }, 'en')).toBe('메모');
    expect(inLocale({}, 'en')).toBeUndefined();
  });

  test('comes with the language it is given in', () => {
    const text = fc.option(fc.string(), { nil: undefined });
    fc.assert(
      fc.property(text, text, fc.constantFrom('en', 'ko'), (en, ko, locale) => {
        const served = localeServed({ en, ko }, locale);
        expect(served === null ? undefined : { en, ko }[served]).toBe(inLocale({ en, ko }, locale));
        if ({ en, ko }[locale] !== undefined) expect(served).toBe(locale);
      }),
    );
  });
});
