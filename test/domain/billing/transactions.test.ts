import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decimalAmount,
  TRANSACTION_HEAD,
  type Transaction,
  transactionLines,
} from '../../../domain/billing/transactions.ts';

const SALE: Transaction = {
  kind: 'sale',
  day: '2026-11-02',
  order_id: 5,
  order_number: 'O-5',
  provider: 'stripe',
  payment: 'in_1',
  products: [
    { slug: 'tool', units: 2 },
    { slug: '2', units: 1 },
  ],
  currency: 'EUR',
  gross_cents: 1905,
  tax_cents: 300,
  refunded_cents: 0,
  refunded_tax_cents: 0,
  vat_rate: '19',
};

test('a file has a mark of UTF-8, a head, and a line for each sale and refund, each ended as in RFC 4180', () => {
  const back = { ...SALE, kind: 'refund' as const, gross_cents: 0, tax_cents: 0, refunded_cents: 5, provider: null };
  const rows = [SALE, { ...back, payment: null, products: [{ slug: '2', units: null }], vat_rate: null }];
  expect(`${TRANSACTION_HEAD}${transactionLines(rows)}`.split('\r\n')).toEqual([
    '\u{feff}day,kind,order,provider,payment,products,units,currency,gross,tax,refunded,refunded_tax,tax_rate',
    '2026-11-02,sale,O-5,stripe,in_1,tool 2,3,EUR,19.05,3.00,0.00,0.00,19',
    '2026-11-02,refund,O-5,,,2,,EUR,0.00,0.00,0.05,0.00,',
    '',
  ]);
});

test.each([
  [5, 'USD', '0.05'],
  [19_000, 'KRW', '19000'],
  [0, 'JPY', '0'],
  [1, 'KWD', '0.001'],
])('%i minor units of %s are %s', (cents, currency, text) => {
  expect(decimalAmount(cents, currency)).toBe(text);
});

const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

test('any text survives in its cell, and none begins a formula', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '＝1', 'a"b', 'a,b', 'a\r\nb', '\u200b=1', 'O-5'),
  );
  fc.assert(
    fc.property(text, text, (order_number, payment) => {
      const lines = `${TRANSACTION_HEAD}${transactionLines([{ ...SALE, order_number, payment }])}`;
      const [read] = parse(lines, { bom: true, columns: true, record_delimiter: '\r\n' }) as { order: string }[];
      const { order, payment: paid } = read as { order: string; payment: string };
      for (const [cell, typed] of [
        [order, order_number],
        [paid, payment],
      ] as const) {
        expect([typed, `'${typed}`]).toContain(cell);
        expect(cell).not.toMatch(FORMULA);
        expect(cell.trimStart()).not.toMatch(FORMULA);
      }
    }),
  );
});
