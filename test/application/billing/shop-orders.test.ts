import { describe, expect, test } from 'vitest';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { anAccount } from '../../support/account-builders.ts';
import {
  aBill,
  aBundle,
  anEntitlement,
  anInvoice,
  anOrder,
  anOrderItem,
  aProduct,
  aSubscription,
  NOW,
} from '../../support/builders.ts';
import { BUYERS } from '../../support/buyers.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';
import { A_STOREFRONT } from '../../support/public-builders.ts';
import { shopRecords } from '../../support/shop-records.ts';

const day = (n: number) => addDays(NOW, n);
const accountsOf = (ids: readonly number[]) => ids.map((id) => anAccount({ id, email: `${id}@example.com` }));

describe('the list of orders', () => {
  const ALL = { account_id: null, status: null, since: null, limit: 9 } as const;

  const shop = () =>
    aStore([shopRecords], {
      accounts: accountsOf([1, 2]),
      orders: [
        anOrder({ id: 1, ordered_at: day(-3) }),
        anOrder({ id: 2, ordered_at: day(-2), status: 'refunded' }),
        anOrder({ id: 3, account_id: 2, ordered_at: day(-1) }),
      ],
    });
  const idsOf = async (input: object) => {
    const { get } = await shop();
    return done(await get('listShopOrders')({ ...ALL, ...input })).map(({ id }) => id);
  };

  test('the shop’s orders are those of all accounts, newest first, up to the limit', async () => {
    expect(await idsOf({})).toEqual([3, 2, 1]);
    expect(await idsOf({ limit: 2 })).toEqual([3, 2]);
  });

  test('an account’s orders are only its own', async () => {
    expect(await idsOf({ account_id: 1 })).toEqual([2, 1]);
    expect(await idsOf({ account_id: 1, limit: 1 })).toEqual([2]);
  });

  test('orders are filtered by status and by their earliest date', async () => {
    expect(await idsOf({ status: 'paid' })).toEqual([3, 1]);
    expect(await idsOf({ since: day(-2) })).toEqual([3, 2]);
    expect(await idsOf({ since: toInstant(millis(day(-2)) + 1) })).toEqual([3]);
    expect(await idsOf({ status: 'paid', since: day(-2) })).toEqual([3]);
  });

  test('the orders of an unknown account are refused', async () => {
    const { get } = await shop();
    expect(await get('listShopOrders')({ ...ALL, account_id: 9 })).toMatchObject({
      code: 'account_not_found',
      message: 'There is no account 9; "account list" lists them.',
    });
  });

  test('a long list reports the number of accounts read', async () => {
    const { get, put } = await shop();
    await put({ accounts: accountsOf(Array.from({ length: 39 }, (_, n) => n + 3)) });
    const told: [string, number, number][] = [];
    await get('listShopOrders')(ALL, (...args) => told.push(args));
    expect(told).toEqual([
      ['Reading accounts', 20, 41],
      ['Reading accounts', 40, 41],
      ['Reading accounts', 41, 41],
    ]);
  });
});

describe('an order as its operator sees it', () => {
  const describeOrder = async (contents: Contents, named = '5') => {
    const { get } = await aStore([shopRecords], {
      products: [aProduct({ slug: 'tool' })],
      storefront: A_STOREFRONT,
      ...contents,
    });
    return get('describeOrder')({ order: named });
  };
  const order = anOrder({ id: 5, ordered_at: day(-1), items: [anOrderItem(), anOrderItem({ id: 2, product_id: 77 })] });

  test('an order is shown with all its records, each in its present state', async () => {
    const described = await describeOrder({
      accounts: accountsOf([1]),
      orders: [order],
      entitlements: [anEntitlement({ order_id: 5, order_item_id: 1, revoked_at: NOW })],
      subscriptions: [aSubscription({ billing: aBill({ order_id: 5, order_number: 'O-5' }), starts_at: day(1) })],
      invoices: [anInvoice({ order_id: 5, status: 'open', paid_at: null, due_at: day(-1) })],
    });
    expect(done(described)).toMatchObject({
      order: { id: 5 },
      account_email: '1@example.com',
      slugs: ['tool', null],
      entitlements: [{ id: 1, status: 'revoked' }],
      subscriptions: [{ id: 1, standing: { status: 'scheduled' } }],
      invoices: [{ id: 1, status: 'overdue' }],
      withdrawal_bar: null,
      withdraw_until: expect.any(String),
    });
  });

  test('an order without account and payment shows neither', async () => {
    const unpaid = { ...order, status: 'pending', paid_at: null } as const;
    expect(done(await describeOrder({ orders: [unpaid] }))).toMatchObject({
      account_email: null,
      withdraw_until: null,
    });
  });

  test('an unknown order is refused', async () => {
    expect(await describeOrder({}, '6')).toMatchObject({ code: 'order_not_found' });
  });
});

describe('the subscriptions of an account', () => {
  const shop = (contents: Contents = {}) =>
    aStore([shopRecords], { accounts: accountsOf([1]), products: [aProduct({ slug: 'tool' })], ...contents });

  test('subscriptions are listed newest first, and of the same moment the one made last', async () => {
    const at = (id: number, starts_at: string) => aSubscription({ id, starts_at });
    const { get } = await shop({ subscriptions: [at(1, day(-2)), at(2, day(-1)), at(3, day(-2)), at(4, day(1))] });
    const listed = done(await get('listShopSubscriptions')(1));
    expect(listed.map(({ id, standing }) => [id, standing.status])).toEqual([
      [4, 'scheduled'],
      [2, 'active'],
      [3, 'active'],
      [1, 'active'],
    ]);
  });

  test('the subscriptions of an unknown account are refused', async () => {
    const { get } = await shop();
    expect(await get('listShopSubscriptions')(9)).toMatchObject({ code: 'account_not_found' });
    expect(await get('describeSubscription')(9, 1)).toMatchObject({
      code: 'account_not_found',
    });
  });

  test('a subscription is shown with its reason, its end and the products that it opens', async () => {
    const { get } = await shop({
      bundles: [aBundle()],
      subscriptions: [
        aSubscription({ id: 1 }),
        aSubscription({ id: 7, product_ids: [100], ends_at: day(1), grace_days: 3 }),
      ],
    });
    expect(done(await get('describeSubscription')(1, 7))).toMatchObject({
      subscription: { id: 7 },
      why: { because: 'in_force', at: day(1) },
      gives_access: true,
      access_ends_at: day(4),
      grace_ends_at: day(4),
      covers: expect.arrayContaining([
        { product_id: 100, slug: null },
        { product_id: 1, slug: 'tool' },
      ]),
    });
    expect(await get('describeSubscription')(1, 8)).toMatchObject({
      code: 'subscription_not_found',
      message: /Account 1 has no subscription 8/,
    });
  });
});

describe('the account that an operator names', () => {
  const find = async (named: string) => {
    const { get } = await aStore(BUYERS, { accounts: accountsOf([1]) });
    return get('findAccount')(named);
  };

  test('an account is found by its email address or its number', async () => {
    expect(await find('1@example.com')).toEqual({ ok: true, value: 1 });
    expect(await find('99')).toEqual({ ok: true, value: 99 });
  });

  test.each(['2@example.com', '0', '01', '1.5', '-1', ''])('no account is found by "%s"', async (named) => {
    expect(await find(named)).toMatchObject({
      code: 'account_not_found',
      message: `There is no account ${named}; "account list" lists them.`,
    });
  });
});
