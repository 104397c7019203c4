import { describe, expect, test } from 'vitest';
import type { Subscription } from '../../../domain/licensing/subscription.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import type { Locale } from '../../../domain/shared/locale.ts';
import { billing } from '../../../runtimes/composition/areas/billing.ts';
import { aBill, aPaymentMethod, aSubscription, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';

const UPDATE_URL = 'https://pay.example.com/method';
const RENEWAL_URL = 'https://pay.example.com/renew';
const SOON = addDays(NOW, 10);

const aBilled = (overrides: Partial<Subscription> = {}): Subscription =>
  aSubscription({
    ends_at: SOON,
    billing: aBill({
      payment_method_id: 1,
      next_charge_at: SOON,
      update_payment_method_url: UPDATE_URL,
      renewal_url: RENEWAL_URL,
    }),
    ...overrides,
  });

/** The subscriptions that account 1 sees; its card has id 1 and its bank account id 2. */
const listed = async (subscriptions: readonly Subscription[], at = NOW, locale: Locale = 'en') => {
  const paymentMethods = [aPaymentMethod(), aPaymentMethod({ id: 2, type: 'bank_account', brand: 'bank' })];
  const store = await aStore([billing], { subscriptions, paymentMethods });
  store.clock.at = at;
  return (await store.get('listSubscriptions')({ account_id: 1, locale })).subscriptions;
};

describe('the list of subscriptions', () => {
  test('subscriptions are listed newest first, over or not, and another account’s are not', async () => {
    const subscriptions = [
      aSubscription({ id: 1, ends_at: addDays(NOW, -1) }),
      aSubscription({ id: 2, starts_at: addDays(NOW, -5) }),
      aSubscription({ id: 3, ends_at: addDays(NOW, -1) }),
      aSubscription({ id: 4, account_id: 2 }),
    ];
    expect((await listed(subscriptions)).map(({ id }) => id)).toEqual([2, 3, 1]);
  });

  test('a running subscription is shown with its next charge, its card and the offer to cancel', async () => {
    expect(await listed([aBilled()])).toMatchObject([
      {
        status: 'active',
        status_label: 'Active',
        can_cancel: true,
        cancel_at_period_end: false,
        next_charge_at: SOON,
        action: 'cancel',
        payment_method_brand: 'visa',
        payment_method_last4: '4242',
        update_card_url: UPDATE_URL,
        update_payment_method_url: UPDATE_URL,
      },
    ]);
  });

  test.each<[string, Partial<Subscription>, object]>([
    ['not begun', { starts_at: addDays(NOW, 1) }, { status: 'scheduled', action: 'cancel' }],
    ['in its trial', { status: 'trialing' }, { status: 'trialing', is_trial: true, action: 'cancel' }],
    ['cancelled', { cancelled_at: NOW }, { status: 'cancelled', cancel_at_period_end: true, action: 'resume' }],
    ['in grace', { ends_at: NOW, grace_days: 1 }, { status: 'past_due', action: 'update_payment_method' }],
    [
      'over',
      { ends_at: NOW },
      { status: 'expired', action: 'renew', renewal_url: RENEWAL_URL, update_payment_method_url: null },
    ],
    ['free of charge', { billing: null }, { status: 'active', action: 'none', can_cancel: false, renewal_url: null }],
  ])('a subscription that is %s is shown with its status and what its buyer can do', async (_, terms, shown) => {
    expect(await listed([aBilled(terms)])).toMatchObject([shown]);
  });

  test('a subscription that is charged to a bank account has no page for its card', async () => {
    const billing = aBill({ payment_method_id: 2, update_payment_method_url: UPDATE_URL });
    const method = { payment_method_brand: 'bank', update_card_url: null, update_payment_method_url: UPDATE_URL };
    expect(await listed([aBilled({ billing })])).toMatchObject([method]);
  });

  test('a renewal in another currency is estimated in won, where the rate is known', async () => {
    const priced = aBill({ renewal_amount_cents: 1000, renewal_currency: 'USD' });
    const rated = { ...priced, krw_exchange: { rate: '1385.25', source: 'bank' } };
    const estimate = {
      estimated_krw_amount: 13853,
      estimated_krw_exchange_rate: '1385.25',
      estimated_krw_currency: 'KRW',
    };
    expect(await listed([aBilled({ billing: rated })])).toMatchObject([estimate]);
    const none = { estimated_krw_amount: null, estimated_krw_exchange_source: null, estimated_krw_currency: null };
    expect(await listed([aBilled({ billing: priced })])).toMatchObject([none]);
  });
});
