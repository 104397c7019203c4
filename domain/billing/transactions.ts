import { minorDigits } from './money.ts';
import type { Order } from './order.ts';
import type { OrderCount } from './sales-sums.ts';

/** A sale or a refund for the books. Amounts are in minor units and never negative; a refund has its own columns. */
export type Transaction = {
  readonly kind: 'sale' | 'refund';
  /** The day on which the sums count it, in the shop's time zone. */
  readonly day: string;
  readonly order_id: number;
  readonly order_number: string;
  /** Null for an order that no payment provider reported. */
  readonly provider: string | null;
  /** The provider's own id of the payment. */
  readonly payment: string | null;
  /** The products of the sale with their units, or those refunded. */
  readonly products: readonly { readonly slug: string; readonly units: number | null }[];
  readonly currency: string;
  readonly gross_cents: number;
  readonly tax_cents: number;
  readonly refunded_cents: number;
  readonly refunded_tax_cents: number;
  /** The single rate of tax in percent; null if the provider named none. */
  readonly vat_rate: string | null;
};

const AMOUNTS = ['gross_cents', 'tax_cents', 'refunded_cents', 'refunded_tax_cents'] as const;

/**
 * The sale and the refunds of an order within days, as the sums count them: they add up to the sums of the days. A
 * dispute is none, and a test has none.
 */
export const transactionsOf = (
  order: Order,
  { moments, currency, provider }: OrderCount,
  { from, to, slugOf }: { from: string; to: string; slugOf: (product_id: number) => string },
): Transaction[] =>
  moments.flatMap(({ day, orders, products }) => {
    const isSale = orders > 0;
    const amounts = AMOUNTS.map((name) => [name, products.reduce((sum, row) => sum + (row[name] ?? 0), 0)] as const);
    const money = Object.fromEntries(amounts) as Record<(typeof AMOUNTS)[number], number>;
    if (day < from || day > to || (!isSale && money.refunded_cents + money.refunded_tax_cents === 0)) return [];
    return [
      {
        kind: isSale ? ('sale' as const) : ('refund' as const),
        day,
        order_id: order.id,
        order_number: order.number,
        provider,
        payment: order.source?.payment ?? null,
        products: products.flatMap(({ product_id: id, units, refunded_cents }) =>
          id === null || !(isSale || refunded_cents) ? [] : { slug: slugOf(id), units: isSale ? (units ?? 0) : null },
        ),
        currency,
        ...money,
        vat_rate: order.vat_rate ?? null,
      },
    ];
  });

/** An amount in the currency's own unit with a decimal point and no grouping: `19.00`, `19000`. */
export const decimalAmount = (cents: number, currency: string): string => {
  const digits = minorDigits(currency);
  const whole = String(cents).padStart(digits + 1, '0');
  return digits === 0 ? whole : `${whole.slice(0, -digits)}.${whole.slice(-digits)}`;
};

/** A text that a spreadsheet would read as a formula gets an apostrophe (OWASP, CSV Injection). */
const cell = (text: string): string => {
  const safe = /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
  return /[",\r\n;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** The lines of a CSV file (RFC 4180), each with its line break. */
export const transactionLines = (rows: readonly Transaction[]): string =>
  rows
    .map(({ currency, products, ...row }) => [
      row.day,
      row.kind,
      row.order_number,
      row.provider ?? '',
      row.payment ?? '',
      products.map(({ slug }) => slug).join(' '),
      row.kind === 'sale' ? String(products.reduce((sum, { units }) => sum + (units ?? 0), 0)) : '',
      currency,
      ...AMOUNTS.map((name) => decimalAmount(row[name], currency)),
      row.vat_rate ?? '',
    ])
    .map((cells) => `${cells.map(cell).join(',')}\r\n`)
    .join('');

/** The first line, after the mark by which Excel recognizes UTF-8. */
export const TRANSACTION_HEAD =
  '\u{feff}day,kind,order,provider,payment,products,units,currency,gross,tax,refunded,refunded_tax,tax_rate\r\n';
