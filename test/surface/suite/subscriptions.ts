import { describe, expect, test } from 'vitest';
import { licensingKeys } from '../../../adapters/store/keys/licensing.ts';
import { itemOf } from '../../../adapters/store/records.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Subscription } from '../../../domain/licensing/subscription.ts';
import { aBill, aPaymentMethod } from '../../support/builders.ts';
import { aKey, anAccount } from '../buyers.ts';
import { get } from '../client.ts';
import type { Mount } from '../mount.ts';
import { TOOL } from '../shop.ts';
import { daysAgo, daysFromNow } from '../times.ts';

const PATH = '/api/subscriptions';

export const subscriptionsSuite = (mount: () => Mount): void => {
  const listOf = async (subscriptions: Partial<Subscription>[], headers?: Record<string, string>) => {
    const account = await anAccount(mount().service, { subscriptions });
    const { service } = mount();
    await service
      .get('billingRecords')
      .savePaymentMethod(grantPermit(), aPaymentMethod({ id: 31, account_id: account }));
    await service
      .get('billingRecords')
      .savePaymentMethod(grantPermit(), aPaymentMethod({ id: 32, account_id: account, type: 'wallet' }));
    const { body } = await get(mount(), PATH, (await aKey(service, account)).value, headers);
    return body.subscriptions;
  };

  const whole: Partial<Subscription> = {
    id: 4,
    product_ids: [TOOL],
    starts_at: daysAgo(20),
    ends_at: daysFromNow(10),
    grace_days: 7,
    apps: { tier: 'plus', features: [] },
    billing: aBill({
      order_id: 5,
      order_number: 'O-5',
      payment_method_id: 31,
      next_charge_at: daysFromNow(10),
      renewal_amount_cents: 499,
      renewal_currency: 'USD',
      krw_exchange: { rate: '1385.20', source: 'Bank of Korea' },
      offer: { code: 'EARLY', name: { en: 'Early bird', ko: '얼리버드' } },
      update_payment_method_url: 'https://pay.example.com/s/4',
      renewal_url: 'https://pay.example.com/s/4/renew',
    }),
  };

  test('a subscription is listed with every field', async () => {
    expect(await listOf([whole])).toEqual([
      {
        id: 4,
        product_ids: whole.product_ids,
        status: 'active',
        status_label: 'Active',
        is_trial: false,
        starts_at: whole.starts_at,
        ends_at: whole.ends_at,
        access_ends_at: expect.any(String),
        cancelled_at: null,
        order_id: 5,
        order_number: 'O-5',
        can_cancel: true,
        cancel_at_period_end: false,
        next_charge_at: whole.billing?.next_charge_at,
        renewal_amount_cents: 499,
        renewal_currency: 'USD',
        payment_method_brand: 'visa',
        payment_method_last4: '4242',
        is_apps_subscription: true,
        offer_code: 'EARLY',
        offer_name: 'Early bird',
        action: 'cancel',
        estimated_krw_amount: 6912,
        estimated_krw_exchange_rate: '1385.20',
        estimated_krw_exchange_source: 'Bank of Korea',
        estimated_krw_currency: 'KRW',
        update_card_url: 'https://pay.example.com/s/4',
        update_payment_method_url: 'https://pay.example.com/s/4',
        renewal_url: 'https://pay.example.com/s/4/renew',
      },
    ]);
  });

  test('a subscription without a bill has null billing fields', async () => {
    const [free] = await listOf([{ ...whole, billing: null, apps: null }]);
    expect(free).toMatchObject({
      can_cancel: false,
      action: 'none',
      order_number: null,
      renewal_amount_cents: null,
      payment_method_brand: null,
      estimated_krw_amount: null,
      estimated_krw_currency: null,
      is_apps_subscription: false,
      update_card_url: null,
    });
  });

  describe('a subscription record without a bill field', () => {
    test('a subscription stored without a bill field is listed and grants access', async () => {
      const account = await anAccount(mount().service);
      const old = { id: 1, account_id: account, product_ids: [TOOL], status: 'active' as const, device_limit: null };
      await mount()
        .service.get('table')
        .put(itemOf(licensingKeys.subscription(account, 1), { ...old, starts_at: daysAgo(9), ends_at: null }));
      const key = (await aKey(mount().service, account)).value;
      expect((await get(mount(), PATH, key)).body.subscriptions).toMatchObject([{ status: 'active', action: 'none' }]);
      expect((await get(mount(), `/api/products/${TOOL}/license`, key)).status).toBe(200);
    });
  });
};
