import { describe, expect, test } from 'vitest';
import { checkForm } from '../../../runtimes/files/load-document.ts';
import { card, entitlement, invoice, item, order, subscription, WHOLE } from '../../support/billing-entries.ts';
import { accountEntry } from '../../support/store-folder.ts';

describe('the form of a billing document', () => {
  const formFaults = (account: object): string[] => {
    const document = { format: 1, accounts: [accountEntry({ id: 1, ...account })] };
    const checked = checkForm(document);
    return ('faults' in checked ? checked.faults : []).map(
      ({ path, message }) => `${path.replace('accounts.0.', '')}: ${message}`,
    );
  };

  test('a correct billing document has no faults', () => {
    expect(formFaults(WHOLE)).toEqual([]);
  });

  test.each<[object, string]>([
    [
      { payment_methods: [card({ last4: '4242424242424242' })] },
      'payment_methods.0.last4: must be the last 4 digits alone',
    ],
    [{ payment_methods: [card({ number: '4242424242424242' })] }, 'payment_methods.0.number: is not a known member'],
    [{ payment_methods: [card({ cvc: '123' })] }, 'payment_methods.0.cvc: is not a known member'],
    [
      { payment_methods: [card({ brand: '4242 4242 4242 4242' })] },
      'payment_methods.0.brand: must be the name of a brand, with no more than 3 digits',
    ],
    [{ payment_methods: [card({ exp_month: 13 })] }, 'payment_methods.0.exp_month: must be at most 12'],
    [{ orders: [order({ total_cents: 9.5 })] }, 'orders.0.total_cents: must be a whole number'],
    [{ orders: [order({ total_cents: '900' })] }, 'orders.0.total_cents: must be a number'],
    [{ orders: [order({ total_cents: -1 })] }, 'orders.0.total_cents: must be at least 0'],
    [
      { orders: [order({ status: 'shipped' })] },
      'orders.0.status: must be one of pending, paid, partially_refunded, refunded, disputed, cancelled, withdrawn',
    ],
    [{ orders: [order({ items: [] })] }, 'orders.0.items: must have at least 1 item'],
    [
      { orders: [order({ number: 'two words' })] },
      'orders.0.number: must be 1 to 64 letters, digits and any of . : / # _ -',
    ],
    [{ orders: [order({ receipt_url: 'http://a.example' })] }, 'orders.0.receipt_url: must be a URL'],
    [{ invoices: [invoice({ status: 'overdue' })] }, 'invoices.0.status: must be one of open, paid, refunded, void'],
    [
      { subscriptions: [subscription({ status: 'paused' })] },
      'subscriptions.0.status: must be one of trialing, active, past_due, cancelled, expired',
    ],
    [
      { entitlements: [entitlement({ grant_type: 'lottery' })] },
      'entitlements.0.grant_type: must be one of purchase, bundle, subscription, promotion, gift, grant',
    ],
    [
      { subscriptions: [subscription({ billing: { krw_exchange: { rate: '1,385', source: 'us' } } })] },
      'subscriptions.0.billing.krw_exchange.rate: must be a decimal above 0 in quotes, such as "1385.20"',
    ],
    [
      { subscriptions: [subscription({ billing: { krw_exchange: { rate: 1385.2, source: 'us' } } })] },
      'subscriptions.0.billing.krw_exchange.rate: must be a text',
    ],
  ])('the billing records %j are refused: %s', (account, expected) => {
    expect(formFaults(account)).toEqual([expected]);
  });

  test('a discount is at most the whole price', () => {
    const given = (discount_total_cents: number) => {
      const sums = { discount_total_cents, total_cents: 0 };
      return formFaults({ orders: [order({ ...sums, items: [item(sums)] })] });
    };
    expect(given(1000)).toEqual([]);
    expect(given(1001)).toContain('orders.0.items.0.discount_total_cents: must not be more than subtotal_cents');
  });

  test('a price without tax and a tax must come together and add up to the total', () => {
    const taxed = (supply_cents: number | null, vat_cents: number | null) =>
      formFaults({ invoices: [invoice({ supply_cents, vat_cents })] }).map((line) => line.split(':')[0]);
    expect([taxed(null, null), taxed(800, 100)]).toEqual([[], []]);
    expect(taxed(800, null)).toEqual(['invoices.0.vat_cents']);
    expect(taxed(null, 100)).toEqual(['invoices.0.supply_cents']);
    expect(taxed(800, 101)).toEqual(['invoices.0.total_cents']);
  });
});
