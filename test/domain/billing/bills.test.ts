import { describe, expect, test } from 'vitest';
import { billedTo, plainDetails } from '../../../domain/accounts/billing-details.ts';
import { billsOf } from '../../../domain/billing/history.ts';
import { merchantOfRecord } from '../../../domain/billing/order.ts';
import { judgeSale } from '../../../domain/sales/judge-sale.ts';
import type { OrderFacts } from '../../../domain/sales/sale-event.ts';
import { anInvoice, anOrder } from '../../support/builders.ts';
import { done } from '../../support/outcomes.ts';
import { order } from '../../support/sale-events.ts';

const [PLACED, LATER] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'] as const;
const NONE = { name: null, address: null, tax_number: null };
const ADA = { name: 'Ada Ltd', address: '1 Main St\nLondon', tax_number: 'GB123456789' };

describe('billing details', () => {
  test.each([
    ['blanks', { name: ' \u200b', address: ' \n\u2028 ', tax_number: '\u202e' }, undefined],
    ['lines of any kind', { ...NONE, address: '1 Main St\r\n\r\nLondon\u2028UK' }, '1 Main St\nLondon\nUK'],
    ['more than eight lines', { ...NONE, address: 'x\n'.repeat(20) }, Array(8).fill('x').join('\n')],
    ['a long line', { ...NONE, address: 'x'.repeat(900) }, 'x'.repeat(400)],
    ['a mark of direction', { ...NONE, address: 'Main \u202eSt' }, 'Main  St'],
  ])('billing details of %s keep only readable text', (_, given, address) => {
    expect(plainDetails(given)?.address).toBe(address);
  });

  test('billing details that the buyer entered replace those of the sale as a whole', () => {
    const own = { ...NONE, name: 'Bob' };
    expect(billedTo(own, { billing: ADA })).toEqual(own);
    expect([billedTo(undefined, { billing: ADA }), billedTo(undefined, {})]).toEqual([ADA, null]);
  });

  test('billing details recorded with a sale lose markup, and a missing link or invalid tax rate is left out', () => {
    const judged = (facts: Partial<OrderFacts>) => done(judgeSale(order(facts))).facts;
    const invoice = { number: 'R-1', url: 'https://pay.example.com/r' };
    expect(judged({ billing: ADA, invoice, vat_cents: 245, vat_rate: '8.875' })).toMatchObject({
      billing: ADA,
      invoice,
      vat_rate: '8.875',
    });
    const none = judged({
      billing: { ...NONE, name: 'Ada' },
      invoice: { number: ' ', url: 'javascript:alert(1)' },
      vat_rate: '19 <b>',
    });
    expect(['billing', 'invoice', 'vat_rate'].filter((name) => name in none)).toEqual([]);
    expect(judged({ vat_rate: '19', vat_cents: null })).not.toHaveProperty('vat_rate');
  });

  test.each([
    ['that is in the price', 3000, 479, '19', true],
    ['that is too small for a cent', 2, 0, '19', true],
    ['of a sale without a decimal place', 19, 3, '19', true],
    ['of nothing', 3000, 0, '0', true],
    ['that the buyer pays elsewhere (reverse charge)', 3000, 0, '19', false],
    ['of one line of two', 3000, 240, '19', false],
    ['that is half of two rates', 2360, 360, '9', false],
  ])('billing details show the rate of a tax %s only if the tax applies to the whole sale', (_, total_cents, vat_cents, vat_rate, has) => {
    const lines = [{ product: 'product-1', quantity: 1, total_cents, discount_cents: 0 }];
    const { facts } = done(judgeSale(order({ lines, total_cents, vat_cents, vat_rate })));
    expect('vat_rate' in facts).toBe(has);
  });

  test.each([
    ['paddle', 'Paddle'],
    ['polar', 'Polar'],
    ['stripe', null],
    ['toString', null],
    [undefined, null],
  ])('the seller of an order sold by %s is %s', (provider, seller) => {
    expect(merchantOfRecord(provider === undefined ? undefined : { provider })).toBe(seller);
  });
});

describe('the bills of an account', () => {
  const [first, second] = [anOrder({ id: 1, ordered_at: PLACED }), anOrder({ id: 2, ordered_at: LATER })];
  const invoice = (id: number, order_id: number | null) =>
    anInvoice({ id, order_id, issued_at: `2026-01-0${id}T12:00:00.000Z` });

  test('an account’s bills list each invoice with its order, or alone if the account has no such order', () => {
    const bills = billsOf([first, second], [invoice(1, 1), invoice(2, 1), invoice(3, null), invoice(4, 99)]);
    expect(bills.map((bill) => [bill.order?.id ?? null, bill.invoices.map(({ id }) => id)])).toEqual([
      [null, [4]],
      [null, [3]],
      [2, []],
      [1, [1, 2]],
    ]);
  });
});
