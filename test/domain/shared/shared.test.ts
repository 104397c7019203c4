import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, dayOf, hasPassed, laterEnd, millis, toInstant } from '../../../domain/shared/instant.ts';
import { inLocale, localeServed } from '../../../domain/shared/locale.ts';
import { NOW } from '../../support/builders.ts';

const moment = fc.integer({ min: Date.parse('0001-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59Z') });
const instant = moment.map((ms) => toInstant(ms));
const end = fc.option(instant, { nil: null });

describe('an instant', () => {
  test('an instant is written in UTC with milliseconds and reads back unchanged', () => {
    expect(toInstant(new Date('2026-11-21T17:00:00+09:00'))).toBe(NOW);
    fc.assert(fc.property(moment, (ms) => millis(toInstant(ms)) === ms));
  });

  test('instants sort as text in order of time', () => {
    fc.assert(fc.property(moment, moment, (a, b) => toInstant(a) < toInstant(b) === a < b));
  });

  test('an instant moves by days of 24 hours across months and leap days', () => {
    expect(addDays('2024-02-28T08:00:00.000Z', 2)).toBe('2024-03-01T08:00:00.000Z');
    expect(addDays(NOW, -21)).toBe('2026-10-31T08:00:00.000Z');
  });

  test('the day of an instant is its day in UTC', () => {
    expect(dayOf('2026-11-21T23:59:59.999Z')).toBe('2026-11-21');
  });
});

describe('the end of a period', () => {
  test('an end has passed from its own moment on, and a missing end never passes', () => {
    expect(hasPassed(NOW, NOW)).toBe(true);
    expect(hasPassed(toInstant(millis(NOW) + 1), NOW)).toBe(false);
    expect(hasPassed(null, NOW)).toBe(false);
  });

  test('a missing end is later than any other', () => {
    expect([laterEnd(null, NOW), laterEnd(NOW, null), laterEnd(null, null)]).toEqual([null, null, null]);
  });

  test('the later of two ends does not depend on their order', () => {
    fc.assert(
      fc.property(end, end, instant, (a, b, now) => {
        expect(laterEnd(a, b)).toBe(laterEnd(b, a));
        expect([a, b]).toContain(laterEnd(a, b));
        expect(hasPassed(laterEnd(a, b), now)).toBe(hasPassed(a, now) && hasPassed(b, now));
      }),
    );
  });
});

describe('a localized text', () => {
  test('a text is shown in the requested language or, without one, in the other', () => {
    expect(inLocale({ en: 'Notes', ko: '메모' }, 'ko')).toBe('메모');
    expect(inLocale({ en: 'Notes' }, 'ko')).toBe('Notes');
    expect(inLocale({ ko: '메모' }, 'en')).toBe('메모');
    expect(inLocale({}, 'en')).toBeUndefined();
  });

  test('a blank text counts as missing, so the other language is shown', () => {
    expect(inLocale({ en: ' \n', ko: '메모' }, 'en')).toBe('메모');
    expect(localeServed({ en: ' \n', ko: '메모' }, 'en')).toBe('ko');
    expect(inLocale({ en: '', ko: '\u3000' }, 'en')).toBeUndefined();
    expect(localeServed({ en: '', ko: '\u3000' }, 'en')).toBeNull();
  });

  test('a text names the language in which it is shown', () => {
    const text = fc.option(fc.string(), { nil: undefined });
    fc.assert(
      fc.property(text, text, fc.constantFrom('en', 'ko'), (en, ko, locale) => {
        const served = localeServed({ en, ko }, locale);
        expect(served === null ? undefined : { en, ko }[served]).toBe(inLocale({ en, ko }, locale));
        if ({ en, ko }[locale]?.trim()) expect(served).toBe(locale);
      }),
    );
  });
});
