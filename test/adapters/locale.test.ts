import { describe, expect, test } from 'vitest';
import { localeOf } from '../../adapters/host/request.ts';

describe('the language of a response', () => {
  test.each<[string | undefined, 'en' | 'ko']>([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['en', 'en'],
    ['ko', 'ko'],
    ['KO', 'ko'],
    ['ko-KR', 'ko'],
    ['ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7', 'ko'],
    ['en-US,en;q=0.9,ko;q=0.8', 'en'],
    ['en;q=0.5, ko;q=0.9', 'ko'],
    ['ko;q=0.5, en;q=0.5', 'ko'],
    ['fr, ko;q=0.1', 'ko'],
    ['fr, de;q=0.5', 'en'],
    ['ko;q=0', 'en'],
    ['ko;q=0, *', 'en'],
    ['en;q=0, *', 'ko'],
    [',,;q=;', 'en'],
  ])('the response to Accept-Language %j is in %s', (header, locale) => {
    expect(localeOf(header)).toBe(locale);
  });
});

describe('a long Accept-Language header', () => {
  const CAP = 256;
  /** Entries of unsupported languages, of exactly this many characters including the last comma. */
  const unknown = (length: number): string => {
    const entries = 'fr,'.repeat(Math.floor(length / 3) - 1);
    return `${entries}${'f'.repeat(length - entries.length - 1)},`;
  };

  test('a language behind 15 KB of unknown languages does not count', () => {
    expect(localeOf(`ko;q=0.5,${unknown(15_000)}en;q=1`)).toBe('ko');
    expect(localeOf(`${unknown(15_000)}ko;q=1`)).toBe('en');
  });

  test('a language before the limit counts however long the header is', () => {
    expect(localeOf(`ko,${unknown(15_000)}`)).toBe('ko');
    expect(localeOf(`${unknown(CAP - 3)}ko,${unknown(15_000)}`)).toBe('ko');
  });

  test('a header of exactly the maximum length is read completely', () => {
    const header = `${unknown(CAP - 2)}ko`;
    expect(header).toHaveLength(CAP);
    expect(localeOf(header)).toBe('ko');
  });

  test('an entry cut by the limit does not count, even if its rest names a language', () => {
    expect(localeOf(`${unknown(CAP - 2)}ko-KR`)).toBe('en');
    expect(localeOf(`en;q=0.5,${unknown(CAP - 11)}ko;q=0.1`)).toBe('en');
  });

  test('a header without a comma before the limit names no language', () => {
    expect(localeOf('k'.repeat(15_000))).toBe('en');
  });
});
