import { expect, test } from 'vitest';
import { type Difference, differenceOf } from '../../../../adapters/web/gallery/differences.ts';

/** Each line with its sign, and the differing words in brackets. */
const told = ({ lines }: Difference): string[] =>
  lines.map(({ kind, pieces }) => {
    const sign = { same: ' ', removed: '-', added: '+' }[kind];
    return sign + pieces.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('');
  });

test('a changed line is shown twice, with the different words marked', () => {
  const difference = differenceOf('one\nthe small box\nthree\n', 'one\nthe large box\nthree\n');
  expect(told(difference)).toEqual([' one', '-the [small] box', '+the [large] box', ' three']);
  expect([difference.added, difference.removed]).toEqual([1, 1]);
});

test('a line that was replaced entirely has no words marked', () => {
  expect(told(differenceOf('apples\n', 'pears\n'))).toEqual(['-apples', '+pears']);
});

test('lines are numbered by their position in their own version', () => {
  const { lines } = differenceOf('a\nb\nc', 'a\nc\nd');
  expect(lines.map(({ from, to }) => [from, to])).toEqual([
    [1, 1],
    [2, null],
    [3, 2],
    [null, 3],
  ]);
});

test('the same text has no change, whatever its line endings', () => {
  const difference = differenceOf('a\r\nb\r\n', 'a\nb');
  expect([difference.added, difference.removed]).toEqual([0, 0]);
});

test('texts of the maximum size with nothing in common are shown completely, in limited time', () => {
  const lines = (word: string): string => Array.from({ length: 30_000 }, (_, n) => `${word}${n}`).join('\n');
  const started = performance.now();
  const difference = differenceOf(lines('a'), lines('b'));
  expect(difference.whole).toBe(true);
  expect([difference.added, difference.removed]).toEqual([30_000, 30_000]);
  expect(performance.now() - started).toBeLessThan(3000);
});

test('many changed lines are compared in limited time', () => {
  const lines = (word: string): string =>
    Array.from({ length: 1500 }, (_, n) => `line ${n} has ${word.repeat(60)} in it`).join('\n');
  const started = performance.now();
  differenceOf(lines('ab '), lines('ba '));
  expect(performance.now() - started).toBeLessThan(3000);
});
