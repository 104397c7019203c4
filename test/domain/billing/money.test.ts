import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXCHANGE_RATE, MAX_RENEWAL_CENTS, minorDigits, sumOf, wonFor } from '../../../domain/billing/money.ts';

test.each([
  ['KRW', 0],
  ['JPY', 0],
  ['USD', 2],
  ['EUR', 2],
  ['KWD', 3],
  ['OMR', 3],
  ['CLF', 4],
])('the currency %s has %d decimals', (currency, digits) => {
  expect(minorDigits(currency)).toBe(digits);
});

test('the decimals of a currency agree with Intl wherever Intl defines them', () => {
  const others = Intl.supportedValuesOf('currency').filter((currency) => {
    const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
    return maximumFractionDigits !== 0 && maximumFractionDigits !== minorDigits(currency);
  });
  expect(others).toEqual([]);
});

test('a sum is exact beyond the safe integers of JavaScript', () => {
  expect(sumOf([Number.MAX_SAFE_INTEGER, 1, 1])).toBe(9007199254740993n);
  expect(sumOf([])).toBe(0n);
});

describe('an estimate in won', () => {
  test.each([
    [499, 'USD', '1385.20', 6912], // 6912.148
    [1000, 'USD', '1385', 13850],
    [1, 'USD', '50', 1], // 0.5
    [1, 'USD', '49.99', 0],
    [3, 'USD', '50', 2], // 1.5
    [100, 'JPY', '9.255', 926], // 925.5
    [1500, 'KWD', '4500.1', 6750], // 6750.15
    [0, 'USD', '1385.20', 0],
    [MAX_RENEWAL_CENTS, 'JPY', '999999.99999999', 999_999_999_999_990],
  ])('the estimate for %d of the smallest units of %s at the rate %s is %d won', (amount, currency, rate, won) => {
    expect(wonFor(amount, currency, rate)).toBe(won);
  });

  const rate = fc
    .tuple(fc.integer({ min: 0, max: 999_999 }), fc.option(fc.stringMatching(/^\d{1,8}$/), { nil: undefined }))
    .map(([whole, fraction]) => (fraction === undefined ? String(whole) : `${whole}.${fraction}`))
    .filter((text) => EXCHANGE_RATE.test(text));
  const amount = fc.integer({ min: 0, max: MAX_RENEWAL_CENTS });
  const currency = fc.constantFrom('USD', 'JPY', 'KWD', 'CLF');

  test('an estimate in won is at most half a won off and a safe integer for every importable amount and rate', () => {
    fc.assert(
      fc.property(amount, currency, rate, (cents, code, text) => {
        const won = wonFor(cents, code, text);
        const [whole = '', fraction = ''] = text.split('.');
        const scale = 10n ** BigInt(fraction.length + minorDigits(code));
        const off = 2n * (BigInt(won) * scale - BigInt(cents) * BigInt(whole + fraction));
        expect(Number.isSafeInteger(won)).toBe(true);
        // Halves are rounded up, so the estimate may be half a won too high but never half a won too low.
        expect(off <= scale && off > -scale).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('an estimate in won ignores trailing zeros of the rate and never falls as the amount rises', () => {
    fc.assert(
      fc.property(amount, amount, currency, rate, (a, b, code, text) => {
        const longer = text.includes('.') ? `${text}000` : `${text}.000`;
        expect(wonFor(a, code, longer)).toBe(wonFor(a, code, text));
        expect(wonFor(Math.max(a, b), code, text)).toBeGreaterThanOrEqual(wonFor(Math.min(a, b), code, text));
      }),
    );
  });
});

test.each([
  '0',
  '0.0',
  '1385,20',
  '1e3',
  '.5',
  '5.',
  '-1',
  '+1',
  '01',
  '1000000',
  '1.123456789',
  '',
  'NaN',
])('the exchange rate %j is invalid', (text) => {
  expect(EXCHANGE_RATE.test(text)).toBe(false);
});
