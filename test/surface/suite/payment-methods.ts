import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { PaymentMethod } from '../../../domain/billing/payment-method.ts';
import { aPaymentMethod } from '../../support/builders.ts';
import { aStranger, type Buyer } from '../buyers.ts';
import { get } from '../client.ts';
import type { Mount } from '../mount.ts';

const PATH = '/api/payment-methods';

export const paymentMethodsSuite = (mount: () => Mount): void => {
  const deposit = ({ account }: Buyer, overrides: Partial<PaymentMethod>): Promise<unknown> =>
    mount()
      .service.get('billingRecords')
      .savePaymentMethod(grantPermit(), aPaymentMethod({ account_id: account, ...overrides }));
  const list = async ({ key }: Buyer, headers?: Record<string, string>) =>
    (await get(mount(), PATH, key, headers)).body.payment_methods;

  test('payment methods are listed with masked numbers, the default one first', async () => {
    const buyer = await aStranger(mount().service);
    await deposit(buyer, { id: 1, exp_month: 1, exp_year: 2020, last4: '0005', brand: 'mastercard' });
    await deposit(buyer, { id: 2, type: 'wallet', brand: 'kakaopay', last4: null, exp_month: null, exp_year: null });
    await deposit(buyer, { id: 3, is_default: true });
    expect(await list(buyer)).toEqual([
      {
        id: 3,
        type: 'card',
        type_label: 'Card',
        brand: 'visa',
        last4: '4242',
        masked_number: '**** **** **** 4242',
        exp_month: 12,
        exp_year: 2099,
        expired: false,
        is_default: true,
      },
      expect.objectContaining({ id: 1, masked_number: '**** **** **** 0005', expired: true }),
      expect.objectContaining({ id: 2, last4: null, masked_number: null, exp_month: null, expired: false }),
    ]);
    const korean = await list(buyer, { 'Accept-Language': 'ko' });
    expect(korean.map((one: { type_label: string }) => one.type_label)).toEqual(['카드', '카드', '간편결제']);
  });
};
