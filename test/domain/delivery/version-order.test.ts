import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBuild, isSystemVersion } from '../../../domain/delivery/sparkle-terms.ts';
import { newestFirst, sparkleOrder } from '../../../domain/delivery/version-order.ts';
import { aRelease } from '../../support/builders.ts';
import { expectStableNormalForm, expectTotalOrder } from '../../support/total-order.ts';

const order = sparkleOrder();
const compare = (a: string, b: string) => Math.sign(order.compare(a, b)) + 0;

/** Versions similar enough to tie or to differ in one place. */
const piece = fc.constantFrom('0', '1', '00', '10', '.', '.1', 'a', 'b', 'rc', ' ', '(2)', '_', '+', '-a1');
const version = fc
  .tuple(fc.constantFrom('', 'v'), fc.constantFrom('0', '1', '2'), fc.array(piece, { maxLength: 5 }))
  .map(([v, first, more]) => v + first + more.join(''))
  .filter((text) => order.normalize(text) !== undefined);

describe('Sparkle’s order', () => {
  /** The cases of Sparkle 2's own comparator test (SUVersionComparisonTest). The left version is older. */
  test.each([
    ...[
      ['1.0', '1.1'],
      ['1.1', '2.0'],
      ['0.0.1', '0.1'],
      ['0.1', '0.1.2'],
      ['1.5.5-335d3e2', '1.5.6-b252311'],
    ],
    ...[
      ['1.5.5', '1.5.6a1'],
      ['1.1.0b1', '1.1.0b2'],
      ['1.1.1b2', '1.1.2b1'],
      ['1.1.1b2', '1.1.2a1'],
    ],
    ...[
      ['1.0a1', '1.0b1'],
      ['1.0b1', '1.0'],
      ['0.9', '1.0a1'],
      ['1.0b', '1.0b2'],
      ['1.0b10', '1.0b11'],
    ],
    ...[
      ['1.0b9', '1.0b10'],
      ['1.0rc', '1.0'],
      ['1.0b', '1.0'],
      ['1.0pre1', '1.0'],
    ],
    ...[
      ['1.0 (1234)', '1.0 (1235)'],
      ['1.0b1 (1234)', '1.0 (1234)'],
      ['1.0b5 (1234)', '1.0b5 (1235)'],
    ],
    ...[
      ['1.0b5 (1234)', '1.0.1b5 (1234)'],
      ['1.0.1b5 (1234)', '1.0.1b6 (1234)'],
      ['2.0.0.2429', '2.0.0.2430'],
    ],
    ...[
      ['1.1.1.1818', '2.0.0.2430'],
      ['3.3 (5847)', '3.3.1b1 (5902)'],
      ['201210251627', '201211051041'],
    ],
  ])('Sparkle’s order ranks %s below %s', (older, newer) => {
    expect([compare(older, newer), compare(newer, older)]).toEqual([-1, 1]);
  });

  test.each([
    ...[
      ['1.0', '1.0'],
      ['1.0', '1.0.0'],
      ['1.5.5-335d3e2', '1.5.5-a655360'],
      ['1.5-335d3e2', '1.5.0-335d3e2'],
    ],
    ...[
      ['1.0pre1', '1.0.0pre1'],
      ['3.3 (5847)', '3.3.0 (5847)'],
      ['1.1.1.1818', '1.1.1.1818.0'],
    ],
    ...[
      ['3.3b1 (5902)', '3.3.0b1 (5902)'],
      ['201210251627.0', '201210251627'],
    ],
  ])('Sparkle’s order ranks %s and %s the same', (a, b) => {
    expect([compare(a, b), compare(b, a)]).toEqual([0, 0]);
  });

  test('Sparkle’s order ranks a suffix after a separator above the bare version, even when it is letters', () => {
    expect(compare('1.0', '1.0 beta')).toBe(-1);
    expect(compare('1.0b', '1.0 b')).toBe(-1);
    expect(compare('1.0 ', '1.0 2')).toBe(-1);
  });

  test('Sparkle’s order compares numbers of any length exactly', () => {
    expect(compare('1.9007199254740993', '1.9007199254740992')).toBe(1);
    expect(compare('1.010', '1.10')).toBe(0);
  });

  test('Sparkle’s order is total', () => expectTotalOrder(order, version));

  test('Sparkle’s order ranks a version like its normal form', () => expectStableNormalForm(order, version));

  test('the normal form of a version drops a leading v and nothing else', () => {
    expect(order.normalize('v1.0 (12)')).toBe('1.0 (12)');
    expect(order.normalize('V2')).toBe('2');
  });

  test.each([
    '',
    'v',
    'beta',
    '.1',
    '-1',
    '1..2',
    '1.0 ',
    '1.0/2',
    '1.0\n',
    '1.0<b>',
    `1.${'0'.repeat(63)}`,
  ])('the text %j is not a version', (text) => expect(order.normalize(text)).toBeUndefined());
});

describe('the order of releases', () => {
  test('releases are sorted by version, then date, then id, whatever order they are stored in', () => {
    const sorted = [
      aRelease({ id: 1, version: '2.0', released_at: '2026-01-01T00:00:00.000Z' }),
      aRelease({ id: 2, version: '1.0', released_at: '2026-03-01T00:00:00.000Z' }),
      aRelease({ id: 4, version: '1.0.0', released_at: '2026-02-01T00:00:00.000Z' }),
      aRelease({ id: 3, version: '1.0', released_at: '2026-02-01T00:00:00.000Z' }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(sorted, { minLength: 4 }), (stored) => {
        expect(stored.toSorted(newestFirst(order))).toEqual(sorted);
      }),
    );
  });
});

test('a version has at most 64 characters', () => {
  expect(order.normalize('1'.repeat(64))).toBe('1'.repeat(64));
  expect(order.normalize('1'.repeat(65))).toBeUndefined();
});

test('a build number has at most 64 characters, and a version of macOS at most 32', () => {
  expect([64, 65].map((length) => isBuild('1'.repeat(length)))).toEqual([true, false]);
  expect([32, 33].map((length) => isSystemVersion('1'.repeat(length)))).toEqual([true, false]);
});
