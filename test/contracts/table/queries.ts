import { describe, expect, test } from 'vitest';
import type { Query } from '../../../adapters/store/table.ts';
import { fill, newKey, newPk, sortKeys, type Use } from './helpers.ts';

/** Sort keys in the order of their UTF-8 bytes. UTF-16 would put the characters beyond U+FFFF before U+E000. */
const ORDERED = [
  '\u0001',
  ' ',
  '#',
  '10',
  '9',
  'A',
  'Z',
  'a',
  'a\u0000',
  'a\u0001',
  'aa',
  'b',
  'é',
  '한',
  '\ud7ff',
  '\ue000',
].concat(['\ufffd', '\uffff', '\u{10000}', '😀', '\u{10ffff}', '\u{10ffff}a', '\u{10ffff}\u{10ffff}']);

const backwards = (list: readonly string[]): string[] => [...list].reverse();

/** The list in a fixed, unsorted order. */
const shuffled = (list: readonly string[]): string[] => list.map((_, i) => list[(i * 7 + 3) % list.length] as string);

export const queries = (use: Use): void => {
  test('a query returns complete items of its own partition only', async () => {
    const [key, other] = [newKey(), newKey()];
    await use().put({ ...key, data: { n: [1] }, expires_at: 4_102_444_800 });
    await use().put({ ...other, data: { n: [2] } });
    expect(await use().query({ pk: key.pk })).toEqual({ items: [await use().get(key)] });
  });

  test('a query of an empty partition returns no items', async () => {
    expect(await use().query({ pk: newPk() })).toEqual({ items: [] });
  });

  test('a query sees every write acknowledged before it', async () => {
    const pk = newPk();
    await fill(use(), pk, ['a', 'b', 'd']);
    expect(await sortKeys(use(), { pk })).toEqual(['a', 'b', 'd']);
    await fill(use(), pk, ['c', 'e', 'a']);
    await use().remove({ pk, sk: 'b' });
    expect(await sortKeys(use(), { pk })).toEqual(['a', 'c', 'd', 'e']);
    for (const sk of ['a', 'c', 'd', 'e']) await use().remove({ pk, sk });
    expect(await sortKeys(use(), { pk })).toEqual([]);
  });

  test('a query orders items by the UTF-8 bytes of the sort key', async () => {
    const pk = newPk();
    await fill(use(), pk, shuffled(ORDERED));
    expect(await sortKeys(use(), { pk })).toEqual(ORDERED);
    expect(await sortKeys(use(), { pk, descending: true })).toEqual(backwards(ORDERED));
  });

  test('a query includes the items at both of its bounds, in the same order', async () => {
    const pk = newPk();
    await fill(use(), pk, shuffled(ORDERED));
    for (const [i, from] of ORDERED.entries()) {
      const to = ORDERED[Math.min(i + 3, ORDERED.length - 1)] as string;
      expect(await sortKeys(use(), { pk, from })).toEqual(ORDERED.slice(i));
      expect(await sortKeys(use(), { pk, to: from })).toEqual(ORDERED.slice(0, i + 1));
      expect(await sortKeys(use(), { pk, from, to })).toEqual(ORDERED.slice(i, i + 4));
      expect(await sortKeys(use(), { pk, from, to, descending: true })).toEqual(backwards(ORDERED.slice(i, i + 4)));
    }
  });

  test.each(ORDERED)('a query by the prefix %j returns exactly the sort keys that begin with it', async (prefix) => {
    const pk = newPk();
    const beginning = ['', '\u0000', ' ', 'x', '\uffff', '\u{10ffff}'].map((rest) => prefix + rest);
    await fill(use(), pk, [...new Set([...ORDERED, ...beginning])]);
    const expected = new Set([...beginning, ...ORDERED.filter((sk) => sk.startsWith(prefix))]);
    expect(new Set(await sortKeys(use(), { pk, prefix }))).toEqual(expected);
  });

  test.each([
    '%',
    '_',
    '\\',
    '*',
    '?',
    '[a]',
    "'",
    '"',
    '{',
    '~',
  ])('a query takes %j in a prefix literally', async (mark) => {
    const pk = newPk();
    await fill(use(), pk, ['a', 'ab', 'axb', `a${mark}`, `a${mark}b`, `b${mark}`]);
    expect(await sortKeys(use(), { pk, prefix: `a${mark}` })).toEqual([`a${mark}`, `a${mark}b`]);
  });

  describe('queries with several bounds', () => {
    const KEYS = ['DAY#1', 'DAY#2', 'DAY#3', 'DAY#4', 'DAZ', 'WEEK#1'];
    test.each<[Omit<Query, 'pk'>, readonly string[]]>([
      [{ prefix: 'DAY#', from: 'DAY#3' }, ['DAY#3', 'DAY#4']],
      [{ prefix: 'DAY#', to: 'DAY#2' }, ['DAY#1', 'DAY#2']],
      [{ prefix: 'DAY#', from: 'DAY#2', to: 'DAY#3' }, ['DAY#2', 'DAY#3']],
      [{ prefix: 'DAY#', from: 'A', to: 'Z' }, ['DAY#1', 'DAY#2', 'DAY#3', 'DAY#4']],
      [{ prefix: 'DAY#', from: 'DAY#3', descending: true }, ['DAY#4', 'DAY#3']],
      [{ from: 'DAY#3', to: 'DAY#3' }, ['DAY#3']],
      [{ from: 'DAY#4', to: 'DAY#2' }, []],
      [{ prefix: 'DAY#', from: 'DAZ' }, []],
      [{ prefix: 'WEEK#', to: 'DAZ' }, []],
      [{ prefix: 'MONTH#' }, []],
    ])('the query %j returns the items within all its bounds', async (query, expected) => {
      const pk = newPk();
      await fill(use(), pk, KEYS);
      expect(await sortKeys(use(), { pk, ...query })).toEqual(expected);
    });
  });
};
