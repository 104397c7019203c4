import type { Language } from '../shared/language.ts';

/**
 * Decimal places of the currencies that don't have two (ISO 4217, list one: minor units). Amounts are integers in the
 * smallest unit of their currency: 19000 is ₩19,000, and 1900 is $19.00.
 */
const MINOR_DIGITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  ...Object.fromEntries('CLF UYW'.split(' ').map((code) => [code, 4])),
};

export const minorDigits = (currency: string): number => MINOR_DIGITS[currency] ?? 2;

/** The formats by language and currency. A new one takes longer than the rest of a page of amounts. */
const formats = new Map<string, Intl.NumberFormat>();

/** An amount in minor units, such as `$19.00` or `19,00 €`. */
export const moneyText = (language: Language, cents: number, currency: string): string => {
  const digits = minorDigits(currency);
  const style = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  const name = `${language} ${currency}`;
  const format = formats.get(name) ?? new Intl.NumberFormat(language, style);
  formats.set(name, format);
  return format.format(cents / 10 ** digits);
};

/** The exact sum; it never overflows. */
export const sumOf = (amounts: readonly number[]): bigint => amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);

/**
 * The maximum price of a renewal, and the form of an exchange rate. Within both, an estimate in won is a safe integer.
 */
export const MAX_RENEWAL_CENTS = 1_000_000_000;

/** The maximum amount of an order in minor units. */
export const MOST_CENTS = 1_000_000_000_000;

/** The maximum number of units of one item in an order or a subscription. */
export const MOST_UNITS = 1_000_000;
/** A rate of tax in percent. */
export const VAT_RATE = /^\d{1,3}(?:\.\d{1,6})?$/;

export const EXCHANGE_RATE = /^(?=.*[1-9])(?:0|[1-9]\d{0,5})(?:\.\d{1,8})?$/;

/**
 * The amount in whole won, rounded half up. `amountCents` counts minor units of the currency. `rate` is the price of
 * one whole unit in won (`1385.20` for a dollar), a decimal that `EXCHANGE_RATE` matches. All arithmetic is on
 * integers.
 */
export const wonFor = (amountCents: number, currency: string, rate: string): number => {
  const [whole = '', fraction = ''] = rate.split('.');
  const scale = 10n ** BigInt(fraction.length + minorDigits(currency));
  const scaled = BigInt(amountCents) * BigInt(whole + fraction);
  return Number((2n * scaled + scale) / (2n * scale));
};
