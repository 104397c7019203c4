import { expect, test } from 'vitest';
import type { Subscription } from '../../../domain/licensing/subscription.ts';
import { aBill } from '../../support/builders.ts';
import { aKey, anAccount, type Buyer } from '../buyers.ts';
import { get, post } from '../client.ts';
import type { Mount } from '../mount.ts';
import { BUNDLE, NOTES, OTHER, TOOL } from '../shop.ts';
import { daysAgo, daysFromNow } from '../times.ts';

const PATH = '/api/v1/entitlements/apps-subscription-check';
const RENEWAL = 'https://pay.example.com/renew';

export const appsSubscriptionSuite = (mount: () => Mount): void => {
  const apps = (overrides: Partial<Subscription> = {}): Partial<Subscription> => ({
    product_ids: [NOTES, TOOL],
    starts_at: daysAgo(60),
    grace_days: 7,
    apps: { tier: 'plus', features: ['sync', 'themes'] },
    billing: aBill({ renewal_url: RENEWAL }),
    ...overrides,
  });
  const subscriber = async (...subscriptions: Partial<Subscription>[]): Promise<Buyer> => {
    const account = await anAccount(mount().service, { subscriptions });
    return { account, key: (await aKey(mount().service, account)).value };
  };
  const check = async ({ key }: Buyer, headers?: Record<string, string>) =>
    (await get(mount(), PATH, key, headers)).body;
  const licenseCode = async ({ key }: Buyer) =>
    (await post(mount(), '/api/license/check', key, { product_id: NOTES })).body.code;

  test('an apps subscription that is paid for allows its products', async () => {
    const ends_at = daysFromNow(20);
    expect(await check(await subscriber(apps({ ends_at })))).toEqual({
      has_active_apps_subscription: true,
      in_grace_period: false,
      expires_at: ends_at,
      grace_period_ends_at: null,
      grace_warning: null,
      tier: 'plus',
      features: ['sync', 'themes'],
      allowed_apps: ['tool', 'com.example.notes'],
      renewal_url: RENEWAL,
      message: null,
    });
  });

  test('an apps subscription in its grace period warns in the requested language, and its licenses stay valid', async () => {
    const late = await subscriber(apps({ ends_at: daysAgo(2) }));
    const body = await check(late);
    expect(body).toMatchObject({
      has_active_apps_subscription: true,
      in_grace_period: true,
      grace_warning: 'Your apps subscription has run out; renew it within 5 days to go on using its apps.',
      tier: 'plus',
      allowed_apps: ['tool', 'com.example.notes'],
      message: null,
    });
    expect(Date.parse(body.grace_period_ends_at) - Date.parse(body.expires_at)).toBe(7 * 86_400_000);
    expect((await check(late, { 'Accept-Language': 'ko' })).grace_warning).toContain('5일 안에');
    expect(await licenseCode(late)).toBe('valid');
  });

  test('an apps subscription is inactive after its grace period, and the response has the renewal address', async () => {
    const ended = await subscriber(apps({ ends_at: daysAgo(8) }));
    expect(await check(ended)).toMatchObject({
      has_active_apps_subscription: false,
      in_grace_period: false,
      grace_warning: null,
      tier: 'none',
      features: [],
      allowed_apps: [],
      renewal_url: RENEWAL,
      message: 'Your apps subscription has ended; renew it to use its apps again.',
    });
    expect((await check(ended, { 'Accept-Language': 'ko' })).message).toContain('만료');
    expect(await licenseCode(ended)).toBe('access_expired');
  });

  test('a cancelled apps subscription ends without a grace period', async () => {
    const cancelled = await subscriber(apps({ ends_at: daysAgo(1), cancelled_at: daysAgo(9) }));
    expect(await check(cancelled)).toMatchObject({ has_active_apps_subscription: false, grace_period_ends_at: null });
    expect(await licenseCode(cancelled)).toBe('access_expired');
  });

  test.each<[string, Partial<Subscription>[]]>([
    ['nothing', []],
    ['a subscription to a product alone', [{ product_ids: [NOTES] }]],
  ])('an account with %s has no apps subscription', async (_, subscriptions) => {
    expect(await check(await subscriber(...subscriptions))).toEqual({
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
    });
  });

  test('an apps subscription that begins later is announced in the requested language', async () => {
    const scheduled = await subscriber(apps({ starts_at: daysFromNow(1) }));
    expect(await check(scheduled)).toMatchObject({
      has_active_apps_subscription: false,
      allowed_apps: [],
      message: expect.stringMatching(/^Your apps subscription begins on \d{4}-\d\d-\d\d at \d\d:\d\d UTC\.$/),
    });
    expect((await check(scheduled, { 'Accept-Language': 'ko' })).message).toContain('시작됩니다');
  });

  test('two apps subscriptions of one account are combined', async () => {
    const two = [
      apps({ ends_at: daysFromNow(9), product_ids: [NOTES] }),
      apps({ ends_at: null, product_ids: [OTHER, NOTES], apps: { tier: 'pro', features: ['sync', 'share'] } }),
    ];
    expect(await check(await subscriber(...two))).toMatchObject({
      tier: 'pro',
      expires_at: null,
      features: ['sync', 'themes', 'share'],
      allowed_apps: ['com.example.notes', 'other'],
    });
  });

  test('an apps subscription to a bundle allows the products of the bundle', async () => {
    const { allowed_apps } = await check(await subscriber(apps({ product_ids: [BUNDLE] })));
    expect(allowed_apps).toEqual(['tool', 'skill']);
  });

  test('a key bound to one product reads the apps subscription of the whole account', async () => {
    const { account } = await subscriber(apps());
    const key = (await aKey(mount().service, account, { product_id: OTHER })).value;
    expect(await check({ account, key })).toMatchObject({ has_active_apps_subscription: true });
  });

  test('the apps subscription check is served on the app host alone', async () => {
    const { key } = await subscriber(apps());
    const response = await fetch(mount().urls.api + PATH, { headers: { Authorization: `Bearer ${key}` } });
    expect(mount().urls.api === mount().urls.app || response.status === 404).toBe(true);
  });
};
