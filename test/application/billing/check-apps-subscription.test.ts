import { describe, expect, test } from 'vitest';
import type { Subscription } from '../../../domain/licensing/subscription.ts';
import { addDays, type Instant, toInstant } from '../../../domain/shared/instant.ts';
import type { Locale } from '../../../domain/shared/locale.ts';
import { billing } from '../../../runtimes/composition/areas/billing.ts';
import { aBill, aBundle, anApp, aProduct, aSubscription, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';

const RENEWAL = 'https://pay.example.com/renew';
const PAID_UNTIL = addDays(NOW, 20);
const END_OF_GRACE = addDays(NOW, 27);
const products = [
  anApp({ id: 1, bundle_id: 'com.example.notes' }),
  aProduct({ id: 2, slug: 'tool' }),
  aProduct({ id: 100 }),
];

/** A subscription to both apps that is paid for another 20 days and has 7 days of grace. */
const anAppsSubscription = (overrides: Partial<Subscription> = {}): Subscription =>
  aSubscription({
    product_ids: [1, 2],
    ends_at: PAID_UNTIL,
    grace_days: 7,
    apps: { tier: 'plus', features: ['sync', 'themes'] },
    billing: aBill({ renewal_url: RENEWAL }),
    ...overrides,
  });

type Asking = { at?: Instant; locale?: Locale };

/** The answer to account 1 with these subscriptions. */
const told = async (subscriptions: readonly Subscription[], { at = NOW, locale = 'en' }: Asking = {}) => {
  const bundles = [aBundle({ product_id: 100, product_ids: [1, 2] })];
  const store = await aStore([billing], { products, bundles, subscriptions });
  store.clock.at = at;
  return store.get('checkAppsSubscription')({ account_id: 1, locale });
};

const NONE = {
  has_active_apps_subscription: false,
  in_grace_period: false,
  expires_at: null,
  grace_period_ends_at: null,
  grace_warning: null,
  tier: 'none',
  features: [],
  allowed_apps: [],
  renewal_url: null,
  message: 'This account has no apps subscription.',
};

describe('the check of an apps subscription', () => {
  test('a paid apps subscription allows its apps, by bundle id or else by slug', async () => {
    expect(await told([anAppsSubscription()])).toEqual({
      has_active_apps_subscription: true,
      in_grace_period: false,
      expires_at: PAID_UNTIL,
      grace_period_ends_at: null,
      grace_warning: null,
      tier: 'plus',
      features: ['sync', 'themes'],
      allowed_apps: ['com.example.notes', 'tool'],
      renewal_url: RENEWAL,
      message: null,
    });
  });

  test('the apps continue through the grace period, with a warning from the end of the paid period', async () => {
    const lastPaid = toInstant(Date.parse(PAID_UNTIL) - 1);
    expect(await told([anAppsSubscription()], { at: lastPaid })).toMatchObject({ in_grace_period: false });
    const inGrace = await told([anAppsSubscription()], { at: PAID_UNTIL });
    expect(inGrace).toMatchObject({ has_active_apps_subscription: true, in_grace_period: true, tier: 'plus' });
    expect(inGrace).toMatchObject({ grace_period_ends_at: END_OF_GRACE, allowed_apps: ['com.example.notes', 'tool'] });
    expect(inGrace.grace_warning).toContain('within 7 days');
  });

  test('the warning at the last moment counts one day, in the requested language', async () => {
    const at = toInstant(Date.parse(END_OF_GRACE) - 1);
    expect((await told([anAppsSubscription()], { at })).grace_warning).toContain('within 1 day to');
    expect((await told([anAppsSubscription()], { at, locale: 'ko' })).grace_warning).toContain('1일 안에');
  });

  test('the apps end with the grace period, and the renewal page is still linked', async () => {
    const ended = { ...NONE, expires_at: PAID_UNTIL, grace_period_ends_at: END_OF_GRACE, renewal_url: RENEWAL };
    const message = 'Your apps subscription has ended; renew it to use its apps again.';
    expect(await told([anAppsSubscription()], { at: END_OF_GRACE })).toEqual({ ...ended, message });
  });

  test('a cancelled apps subscription ends with its paid period', async () => {
    const cancelled = anAppsSubscription({ cancelled_at: NOW });
    expect(await told([cancelled])).toMatchObject({ has_active_apps_subscription: true });
    expect(await told([cancelled], { at: PAID_UNTIL })).toMatchObject({ has_active_apps_subscription: false });
  });

  test.each<[string, Subscription[]]>([
    ['without any subscription', []],
    ['with a subscription to products alone', [aSubscription()]],
    ['beside the one that subscribed', [anAppsSubscription({ account_id: 2 })]],
  ])('an account %s has no apps subscription', async (_, subscriptions) => {
    expect(await told(subscriptions)).toEqual(NONE);
  });

  test('an apps subscription that begins later is announced, allows no app yet and asks for no renewal', async () => {
    const scheduled = anAppsSubscription({ starts_at: '2026-12-24T09:30:00.000Z', ends_at: null });
    const message = 'Your apps subscription begins on 2026-12-24 at 09:30 UTC.';
    expect(await told([scheduled])).toEqual({ ...NONE, message });
    const ended = anAppsSubscription({ id: 2, ends_at: addDays(NOW, -20) });
    expect(await told([ended, scheduled])).toEqual({ ...NONE, message });
  });

  test('the longer of two apps subscriptions names the tier, and the features and apps of both count', async () => {
    const short = anAppsSubscription({ id: 1, product_ids: [1] });
    const pro = { tier: 'pro', features: ['sync', 'share'] };
    const long = anAppsSubscription({ id: 2, product_ids: [2, 1], ends_at: null, apps: pro });
    const both = { tier: 'pro', expires_at: null, features: ['sync', 'themes', 'share'] };
    expect(await told([short, long])).toMatchObject({ ...both, allowed_apps: ['com.example.notes', 'tool'] });
  });

  test('a subscription to a bundle allows the apps in it, but not the bundle itself', async () => {
    const { allowed_apps } = await told([anAppsSubscription({ product_ids: [100] })]);
    expect(allowed_apps).toEqual(['com.example.notes', 'tool']);
  });
});
