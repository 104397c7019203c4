import { describe, expect, test } from 'vitest';
import { localeOf } from '../../adapters/host/request.ts';

describe('the language of an answer', () => {
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
  ])('the language of an answer to a request with Accept-Language %j is %s', (header, locale) => {
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

  test('a language before the cap counts however long the header is', () => {
    expect(localeOf(`ko,${unknown(15_000)}`)).toBe('ko');
    expect(localeOf(`${unknown(CAP - 3)}ko,${unknown(15_000)}`)).toBe('ko');
  });

  test('a header of exactly the cap is looked at whole', () => {
    const header = `${unknown(CAP - 2)}ko`;
    expect(header).toHaveLength(CAP);
    expect(localeOf(header)).toBe('ko');
  });

  test('an entry that the cap cuts does not count, although what is left of it names a language', () => {
    expect(localeOf(`${unknown(CAP - 2)}ko-KR`)).toBe('en');
    expect(localeOf(`en;q=0.5,${unknown(CAP - 11)}ko;q=0.1`)).toBe('en');
  });

  test('a header without a comma before the cap names no language', () => {
    expect(localeOf('k'.repeat(15_000))).toBe('en');
  });
});
