import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { versions } from '../../adapters/versions/versions.ts';
import { expectStableNormalForm, expectTotalOrder } from '../support/total-order.ts';

const order = versions.order('semver');
const compare = (a: string, b: string) => Math.sign(order.compare(a, b)) + 0;

const main = fc.constantFrom('0', '1', '1.0', '1.0.0', '1.0.10', '1.2', '2', '9007199254740991.0.1');
const identifier = fc.constantFrom('0', '1', '2', '11', 'a', 'alpha', 'B', '1a', '-');
const loose = fc.constantFrom('0', '1', '01', '001', '00', 'a', '9007199254740993', '9007199254740992');
const dotted = (sign: string, part: fc.Arbitrary<string>) =>
  fc.array(part, { maxLength: 2 }).map((parts) => (parts.length === 0 ? '' : sign + parts.join('.')));
/** Versions of valid length that are similar enough to tie or to differ in one place. */
const version = fc
  .tuple(fc.constantFrom('', 'v'), main, dotted('-', identifier), dotted('+', loose))
  .map((parts) => parts.join(''))
  .filter((text) => text.length <= 64);

describe('the semver order', () => {
  test.each([
    ['1.2.3', '1.2.3'],
    ['v1.2.3', '1.2.3'],
    ['1', '1.0.0'],
    ['1.2', '1.2.0'],
    ['1.2-beta.1', '1.2.0-beta.1'],
    ['1+build.5', '1.0.0+build.5'],
    ['v2-rc.1+exp.sha', '2.0.0-rc.1+exp.sha'],
  ])('the semver order normalizes %s to %s', (written, normal) => expect(order.normalize(written)).toBe(normal));

  test.each([
    ...['', 'v', 'vv1.2.3', '=1.2.3', ' 1.2.3', '1.2.3 ', '1.2.3\n', '1.2.3.4', '1.', '1..2', '01.2.3', '1.2.3-'],
    ...['1.2.3-01', '1.2.3-a..b', '1.2.3+', '1.2.3+a_b', 'latest', '1.x', '^1.2.3', '9007199254740992.0.0'],
    ...['1.0.0-9007199254740992', `1.0.0-${'a'.repeat(60)}`, `1-${'a'.repeat(61)}`],
  ])('the semver order coerces nothing and rejects %j', (text) => {
    expect(order.normalize(text)).toBeUndefined();
    expect(() => order.compare(text, '1.0.0')).toThrow(RangeError);
    expect(() => order.compare('1.0.0', text)).toThrow(RangeError);
  });

  /** The versions are the example of semver.org, section 11, followed by versions with build metadata. */
  test('the semver order ranks versions like the standard and then by build metadata', () => {
    const standard =
      '1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0';
    const ranked = [...standard.split(' '), '1.0.0+1', '1.0.0+2', '1.0.0+10', '1.0.0+a', '1.0.1', '1.1.0', '2.0.0'];
    expect(ranked.toReversed().sort(compare)).toEqual(ranked);
  });

  test('the semver order is total', () => expectTotalOrder(order, version));

  test('the semver order ranks a version like its normal form', () => expectStableNormalForm(order, version));

  test('two versions tie in the semver order exactly when their normal forms are equal', () => {
    fc.assert(
      fc.property(version, version, (a, b) => (compare(a, b) === 0) === (order.normalize(a) === order.normalize(b))),
      { numRuns: 5000 },
    );
  });

  test('the semver order stays correct after more versions than its cache holds', () => {
    for (let n = 0; n < 6000; n++) expect(order.normalize(`1.0.${n}`)).toBe(`1.0.${n}`);
    expect(compare('1.0.0', '1.0.5999')).toBe(-1);
  });
});

test('the sparkle scheme uses the order of the domain', () => {
  const sparkle = versions.order('sparkle');
  expect(sparkle.compare('1.0b1', '1.0')).toBeLessThan(0);
  expect(sparkle.compare('1.0', '1.0.0')).toBe(0);
  expect(sparkle.normalize('v1.0b1')).toBe('1.0b1');
});
