import { describe, expect, test } from 'vitest';
import type { PaymentMethod } from '../../../domain/billing/payment-method.ts';
import type { Locale } from '../../../domain/shared/locale.ts';
import { billing } from '../../../runtimes/composition/areas/billing.ts';
import { aPaymentMethod, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';

/** The payment methods that account 1 sees. */
const listed = async (paymentMethods: readonly PaymentMethod[], at = NOW, locale: Locale = 'en') => {
  const store = await aStore([billing], { paymentMethods });
  store.clock.at = at;
  return (await store.get('listPaymentMethods')({ account_id: 1, locale })).payment_methods;
};

describe('the list of payment methods', () => {
  test('the default payment method comes first and the others keep the order of their ids', async () => {
    const methods = [1, 2, 3].map((id) => aPaymentMethod({ id, is_default: id === 3 }));
    expect((await listed(methods)).map(({ id }) => id)).toEqual([3, 1, 2]);
  });

  test('a card is valid to the last moment of its month and expired from the next month on', async () => {
    const card = aPaymentMethod({ exp_month: 12, exp_year: 2026 });
    expect(await listed([card], '2026-12-31T23:59:59.999Z')).toMatchObject([{ expired: false }]);
    expect(await listed([card], '2027-01-01T00:00:00.000Z')).toMatchObject([{ expired: true }]);
  });

  test('a bank account never expires, and a wallet without digits has no number', async () => {
    const bank = aPaymentMethod({ id: 1, type: 'bank_account', exp_month: null, exp_year: null });
    const wallet = aPaymentMethod({ id: 2, type: 'wallet', last4: null });
    expect(await listed([bank, wallet], '2098-01-01T00:00:00.000Z')).toMatchObject([
      { masked_number: '****4242', expired: false },
      { masked_number: null, expired: false },
    ]);
  });
});
