import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDeeperThan } from '../../adapters/host/bodies.ts';

const nested = (levels: number, inner = '1'): string =>
  `${'{"a":['.repeat(Math.floor(levels / 2))}${levels % 2 ? '[' : ''}${inner}${levels % 2 ? ']' : ''}${']}'.repeat(Math.floor(levels / 2))}`;

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

test.each([1, 2, 63, 64, 65, 100])('a text of %i levels is too deep above 64', (levels) => {
  expect(isDeeperThan(nested(levels), 64)).toBe(levels > 64);
});

test('brackets in a string are not levels, whatever quotes and backslashes precede them', () => {
  const text = JSON.stringify({
    a: '['.repeat(200),
    b: `"\\"${'{'.repeat(200)}\\\\`,
    '[[[': ['\\', '"', '{'.repeat(99)],
  });
  expect(isDeeperThan(text, 2)).toBe(false);
  expect(isDeeperThan(text, 1)).toBe(true);
});

test('sibling values are not levels', () => {
  expect(isDeeperThan(JSON.stringify(Array.from({ length: 1000 }, () => [{}])), 3)).toBe(false);
});

test('an endless text is rejected', () => {
  expect(isDeeperThan('['.repeat(1000), 64)).toBe(true);
  for (const text of ['"'.padEnd(1000), `"${'\\'.repeat(1000)}`, ']'.repeat(1000)]) {
    expect(isDeeperThan(text, 64)).toBe(false);
  }
});

test('the depth of a text equals that of its value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.integer({ min: 0, max: 8 }), (value, levels) => {
      const text = JSON.stringify(value, null, 40);
      if (text.length > 2 * levels) expect(isDeeperThan(text, levels)).toBe(depthOf(value) > levels);
    }),
  );
});
