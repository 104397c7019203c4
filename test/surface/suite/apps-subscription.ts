import { expect, test } from 'vitest';
import type { Subscription } from '../../../domain/licensing/subscription.ts';
import { aBill } from '../../support/builders.ts';
import { aKey, anAccount, type Buyer } from '../buyers.ts';
import { get } from '../client.ts';
import type { Mount } from '../mount.ts';
import { NOTES, OTHER, TOOL } from '../shop.ts';
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

  test('a paid apps subscription allows its products', async () => {
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

  test('a key bound to one product reads the apps subscription of the whole account', async () => {
    const { account } = await subscriber(apps());
    const key = (await aKey(mount().service, account, { product_id: OTHER })).value;
    expect(await check({ account, key })).toMatchObject({ has_active_apps_subscription: true });
  });

  test('the apps subscription check is served only on the app host', async () => {
    const { key } = await subscriber(apps());
    const response = await fetch(mount().urls.api + PATH, { headers: { Authorization: `Bearer ${key}` } });
    expect(mount().urls.api === mount().urls.app || response.status === 404).toBe(true);
  });
};
