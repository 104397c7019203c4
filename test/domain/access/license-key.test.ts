import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LICENSE_KEY_ABILITIES } from '../../../domain/access/abilities.ts';
import { type ApiKey, admitKey, endedByUse, keyEnd, licenseKeyStep } from '../../../domain/access/api-key.ts';
import { productsOfOrder } from '../../../domain/billing/order.ts';
import { aBill, anApiKey, anEntitlement, anOrder, aSubscription, NOW } from '../../support/builders.ts';

const scope = (...keys: ApiKey[]) => ({ account_id: 1, product_id: 4, keys });
const aLicenseKey = (more: Partial<ApiKey> = {}) => anApiKey({ kind: 'license', product_id: 4, ...more });

describe('a license key', () => {
  test.each<[string, ApiKey[], string | null, ReturnType<typeof licenseKeyStep>['status'], number[]]>([
    ['a message makes the first key', [anApiKey({ id: 9, product_id: 4 })], 'm', 'created', []],
    [
      'a message keeps the key that an earlier order brought',
      [aLicenseKey({ request_hash: 'l' })],
      'm',
      'existing',
      [],
    ],
    ['a message keeps the key of an earlier system', [aLicenseKey()], 'm', 'existing', []],
    [
      'a message that is sent again replaces a key that nobody used',
      [aLicenseKey({ request_hash: 'm' })],
      'm',
      'created',
      [1],
    ],
    [
      'a message that is sent again keeps a used key',
      [aLicenseKey({ request_hash: 'm', last_used_at: NOW })],
      'm',
      'existing',
      [],
    ],
    ['a message makes a key after the last one was revoked', [aLicenseKey({ revoked_at: NOW })], 'm', 'created', []],
    [
      'a buyer gets another key beside those that there are, except one that was asked for and not used',
      [
        aLicenseKey(),
        aLicenseKey({ id: 2, last_used_at: NOW }),
        anApiKey({ id: 3 }),
        aLicenseKey({ id: 4, replaces: [1, 2] }),
      ],
      null,
      'created',
      [4],
    ],
  ])('%s', (_, keys, request, status, replaced) => {
    const step = licenseKeyStep(scope(...keys), request, NOW);
    expect(step.status).toBe(status);
    expect('replaced' in step ? step.replaced.map(({ id }) => id) : []).toEqual(replaced);
  });

  test('the first use of a new license key revokes the older ones, even if the buyer used one of them in between', () => {
    const ask = fc.constantFrom('ask' as const, 'use' as const);
    fc.assert(
      fc.property(fc.array(ask, { maxLength: 20 }), (steps) => {
        let keys: ApiKey[] = [];
        for (const [n, step] of steps.entries()) {
          const asked = licenseKeyStep(scope(...keys), null, NOW);
          if (step === 'ask' && asked.status === 'created') {
            const revoked = new Set(asked.replaced.map(({ id }) => id));
            keys = keys.map((key) => (revoked.has(key.id) ? { ...key, revoked_at: NOW } : key));
            const replaces = asked.replaces.length > 0 ? { replaces: asked.replaces } : {};
            keys.push(aLicenseKey({ id: n + 1, ...replaces }));
          }
          const newest = keys.at(-1);
          if (step === 'use' && newest) {
            const ended = new Set(endedByUse(scope(...keys), newest).map(({ id }) => id));
            keys = keys.map((key) => (ended.has(key.id) ? { ...key, revoked_at: NOW } : key));
            keys = [...keys.slice(0, -1), { ...newest, last_used_at: NOW }];
          }
        }
        const live = keys.filter(({ revoked_at }) => revoked_at === null);
        expect(live.length).toBeLessThanOrEqual(2);
        if (keys.length > 0) expect(live).toContainEqual(keys.at(-1));
        if (keys.at(-1)?.last_used_at) expect(live).toHaveLength(1);
      }),
    );
  });

  test('a license key does not count against the quota of three keys', () => {
    const keys = [1, 2, 3].map((id) => aLicenseKey({ id }));
    expect(admitKey(scope(...keys, anApiKey({ id: 4 }), anApiKey({ id: 5 })), 3, NOW).ok).toBe(true);
  });

  test('a license key does not expire and grants neither orders nor the creation of keys', () => {
    expect(keyEnd(aLicenseKey())).toBeNull();
    expect(LICENSE_KEY_ABILITIES).toEqual([
      'products.read',
      'device.entitlements',
      'device.install',
      'device.usage',
      'support.report',
    ]);
  });
});

test('an order’s products are those of its items, entitlements and subscription, with the products of their bundles', () => {
  const holdings = {
    entitlements: [anEntitlement({ product_id: 2, order_id: 5 }), anEntitlement({ product_id: 3, order_id: 6 })],
    subscriptions: [aSubscription({ product_ids: [7], billing: aBill({ order_id: 5 }) })],
  };
  const bundles = [{ id: 1, product_id: 2, name: { en: 'Both' }, product_ids: [8, 9], active: true }];
  expect([...productsOfOrder(anOrder({ id: 5 }), holdings, bundles)]).toEqual([1, 2, 8, 9, 7]);
});
