import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockFromText, blockText } from '../../../../adapters/store/design/id-block-text.ts';
import { colorFamilyOf } from '../../../../domain/design/gallery/colors.ts';
import {
  BLOCK_IDS,
  changedBlock,
  commonIds,
  countOfBlock,
  emptyBlock,
  idsOfBlock,
} from '../../../../domain/design/gallery/id-block.ts';
import { NO_FILTER } from '../../../../domain/design/gallery/screen.ts';
import {
  matches,
  partsOfTerm,
  type Term,
  termsOfFilter,
  termsOfScreen,
} from '../../../../domain/design/gallery/terms.ts';
import { findsWord, wordsOfQuery, wordsOfScreen } from '../../../../domain/design/gallery/words.ts';
import { randomDraft, randomFilter } from '../../../support/gallery/random-screens.ts';
import { aDraft } from '../../../support/screen-builders.ts';

const words = (title: string, url = '', text = '') => wordsOfScreen({ title, url, text });

describe('the words of the gallery index', () => {
  test.each<[string, string[]]>([
    ['Sign-in, v2.1', ['sign', 'in', 'v2', '1']],
    ['１２ ＡＢ', ['12', 'ab']],
    ['결제수단', ['결제', '제수', '수단']],
    ['결', ['결']],
    ['화면들', ['화면']],
    ['API키', ['api', '키']],
    ['!! --', []],
  ])('the query %j has the words %j', (query, expected) => {
    expect(wordsOfQuery(query)).toEqual(expected);
  });

  test('a text in Korean is indexed by each syllable and each pair of syllables', () => {
    expect(words('결제함')).toEqual(['결제', '제함', '결', '제', '함']);
  });

  test('a URL is indexed by the words of its host and decoded path, without its query', () => {
    expect(words('', 'https://app.example.com/a-b/%EA%B2%B0?q=secret#top')).toEqual([
      'app',
      'example',
      'com',
      'a',
      'b',
      '결',
    ]);
    expect(words('', 'https://example.com/%zz')).toEqual(['example', 'com', 'zz']);
  });

  test('only the first 40 characters of a long word count, in texts and in queries', () => {
    expect(wordsOfQuery('x'.repeat(41))).toEqual(words('x'.repeat(60)));
  });

  test('at most 512 words of a screen and 16 of a query count', () => {
    const many = Array.from({ length: 600 }, (_, n) => `w${n}`).join(' ');
    expect(words('title', '', many)).toHaveLength(512);
    expect(wordsOfQuery(many)).toHaveLength(16);
  });
});

test.each([
  ['key', 'Keys'],
  ['keys', 'Key'],
  ['screen', 'Screens'],
  ['id', 'IDs'],
  ['categories', 'Category'],
  ['category', 'Categories'],
  ['boxes', 'Box'],
  ['sett', 'Settings'],
  ['한글', '한글날'],
  ['화면', '화면들'],
  ['화면들', '화면'],
])('the query %j finds the text %j', (q, title) => {
  expect(matches(aDraft({ title }), { ...NO_FILTER, q })).toBe(true);
});

test.each([
  ['se', 'Settings'],
  ['keys', 'Keyboard'],
  ['access', 'Acces'],
  ['tings', 'Settings'],
])('the query %j does not find the text %j', (q, title) => {
  expect(matches(aDraft({ title, text: '', url: '' }), { ...NO_FILTER, q })).toBe(false);
});

test('a screen matches a filter only if it has all terms of the filter, or words that match them', () => {
  fc.assert(
    fc.property(randomDraft(1), randomFilter, (draft, filter) => {
      const wanted = termsOfFilter(filter);
      const has = termsOfScreen(draft).map(partsOfTerm);
      const isFound = (term: Term): boolean => {
        const { type, value } = partsOfTerm(term);
        return has.some(
          (one) => one.type === type && (type === 'word' ? findsWord(value, one.value) : value === one.value),
        );
      };
      expect(wanted?.every(isFound) ?? false).toBe(matches(draft, filter));
    }),
    { numRuns: 500 },
  );
});

const ids = fc.oneof(
  fc.uniqueArray(fc.nat({ max: BLOCK_IDS - 1 }), { maxLength: 300 }),
  fc
    .tuple(fc.nat({ max: BLOCK_IDS - 1 }), fc.integer({ min: 1, max: 7 }))
    .map(([from, step]) =>
      Array.from({ length: BLOCK_IDS - from }, (_, n) => from + n).filter((id) => id % step === 0),
    ),
);
const blockWith = (set: readonly number[]) => changedBlock(emptyBlock(), { set, clear: [] });
const sorted = (list: readonly number[]) => list.toSorted((a, b) => a - b);

test('a block contains the ids that were set, in order, and reads back from its text unchanged', () => {
  fc.assert(
    fc.property(ids, (set) => {
      const block = blockWith(set);
      expect(idsOfBlock(block, 3)).toEqual(sorted(set).map((id) => id + 3 * BLOCK_IDS));
      expect(countOfBlock(block)).toBe(set.length);
      expect(blockFromText(blockText(block))).toEqual(block);
      expect(blockText(block).length).toBeLessThanOrEqual(1400);
    }),
  );
});

test('the common ids of two blocks are those in both, and cleared ids are removed', () => {
  fc.assert(
    fc.property(ids, ids, (a, b) => {
      const inB = new Set(b);
      expect(idsOfBlock(commonIds(blockWith(a), blockWith(b)), 0)).toEqual(sorted(a.filter((id) => inB.has(id))));
      const rest = changedBlock(blockWith(a), { set: [], clear: b });
      expect(idsOfBlock(rest, 0)).toEqual(sorted(a.filter((id) => !inB.has(id))));
    }),
  );
});

test.each([
  ['#000000', 'black'],
  ['#ffffff', 'white'],
  ['#808080', 'gray'],
  ['#ef4444', 'red'],
  ['#f97316', 'orange'],
  ['#eab308', 'yellow'],
  ['#22c55e', 'green'],
  ['#14b8a6', 'teal'],
  ['#2563eb', 'blue'],
  ['#9333ea', 'purple'],
  ['#ec4899', 'pink'],
  ['#78350f', 'brown'],
])('the color %s belongs to the family %s', (hex, family) => {
  expect(colorFamilyOf(hex)).toBe(family);
});

test('a value of at most 100 characters is a term, and no screen is found by a longer one', () => {
  const filter = (platform: string) => termsOfFilter({ ...NO_FILTER, platform: platform as never });
  expect(filter('x'.repeat(100))).toEqual([`platform:${'x'.repeat(100)}`]);
  expect([filter('x'.repeat(101)), filter(''), filter('\ud800')]).toEqual([null, null, null]);
});
