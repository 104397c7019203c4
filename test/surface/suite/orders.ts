import { beforeAll, describe, expect, test } from 'vitest';
import type { Order } from '../../../domain/billing/order.ts';
import { anOrder, anOrderItem } from '../../support/builders.ts';
import { aBuyer, aKey, anAccount, aStranger, type Buyer, grant, putOrder } from '../buyers.ts';
import { get, post, send } from '../client.ts';
import type { Mount } from '../mount.ts';
import { BUNDLE, SKILL, TOOL } from '../shop.ts';
import { dayFromNow, daysAgo } from '../times.ts';

const NO_IDS = ['0', '-1', '1.0', '01', '1e0', '0x1', 'first', '99999999999999999999', '1%20', '%00', '١', 'null'];

export const ordersSuite = (mount: () => Mount): void => {
  const order = (buyer: Buyer, overrides: Partial<Order>): Promise<unknown> =>
    putOrder(mount().service, anOrder({ account_id: buyer.account, ...overrides }));
  const list = async ({ key }: Buyer, headers?: Record<string, string>) =>
    (await get(mount(), '/api/orders', key, headers)).body.orders;
  const show = ({ key }: Buyer, id: number | string) => get(mount(), `/api/orders/${id}`, key);

  test('an order has every field, and each item has the entitlements that it granted', async () => {
    const buyer = await aStranger(mount().service);
    const items = [
      anOrderItem({
        id: 7,
        product_id: TOOL,
        quantity: 2,
        subtotal_cents: 600,
        unit_price_cents: 300,
        total_cents: 600,
      }),
      anOrderItem({
        id: 8,
        product_id: SKILL,
        product_name: { en: 'Skill of old', ko: '옛 기술' },
        discount_total_cents: 400,
        total_cents: 1500,
      }),
    ];
    const granted = { order_id: 5, order_item_id: 7, source_quantity: 2, granted_at: daysAgo(40) };
    await order(buyer, {
      id: 5,
      number: 'O-2026-5',
      items,
      ordered_at: daysAgo(40),
      supply_cents: 1909,
      vat_cents: 191,
      receipt_url: 'https://pay.example.com/r/5',
      subscription_name: { en: 'Monthly', ko: '월간' },
    });
    await grant(mount().service, buyer.account, {
      id: 70,
      product_id: TOOL,
      ...granted,
      updates_supported_until: daysAgo(1),
    });
    await grant(mount().service, buyer.account, { id: 71, product_id: TOOL, ...granted, order_item_id: 9 });
    await grant(mount().service, buyer.account, { id: 72, product_id: TOOL });
    const { status, body } = await show(buyer, 5);
    expect(status).toBe(200);
    const { api } = mount().urls;
    expect(body.order).toEqual({
      id: 5,
      number: 'O-2026-5',
      status: 'paid',
      status_label: 'Paid',
      subtotal_cents: 2500,
      discount_total_cents: 400,
      total_cents: 2100,
      currency: 'USD',
      payment_method: 'card',
      items: [
        {
          id: 7,
          product_id: TOOL,
          product_name: 'Tool',
          product_url: `${api}/api/products/${TOOL}`,
          list_unit_price_cents: 1900,
          unit_price_cents: 300,
          quantity: 2,
          subtotal_cents: 600,
          discount_total_cents: 0,
          total_cents: 600,
          entitlements: [
            {
              id: 70,
              product_id: TOOL,
              source_product_id: null,
              product_detail_url: `${api}/api/products/${TOOL}/detail`,
              order_id: 5,
              order_item_id: 7,
              grant_type: 'purchase',
              grant_type_label: 'Purchase',
              status: 'active',
              status_label: 'Active',
              access_state: 'without_updates',
              access_state_label: 'Use without new updates',
              active: true,
              source_quantity: 2,
              access_expires_at: null,
              updates_supported_until: expect.any(String),
              granted_at: granted.granted_at,
              revoked_at: null,
            },
          ],
        },
        expect.objectContaining({ id: 8, product_name: 'Skill of old', entitlements: [] }),
      ],
      can_withdraw: false,
      receipt_url: 'https://pay.example.com/r/5',
      supply_cents: 1909,
      vat_cents: 191,
      subscription_name: 'Monthly',
      ordered_at: expect.any(String),
      paid_at: expect.any(String),
      withdraw_until: null,
      withdrawal: null,
      refunds: [],
    });
    expect(await list(buyer)).toEqual([body.order]);
  });

  test('the product links of an order lead to the product', async () => {
    const buyer = await aBuyer(mount().service, { order_id: 1, order_item_id: 1 });
    await order(buyer, { items: [anOrderItem({ product_id: TOOL })] });
    const [{ items }] = await list(buyer);
    for (const url of [items[0].product_url, items[0].entitlements[0].product_detail_url]) {
      const path = url.slice(mount().urls.api.length);
      expect((await get(mount(), path, buyer.key)).body.product.id).toBe(TOOL);
    }
  });

  test('orders are listed newest first', async () => {
    const buyer = await aStranger(mount().service);
    for (const [id, days] of [
      [1, 5],
      [2, 1],
      [3, 9],
    ] as const)
      await order(buyer, { id, ordered_at: daysAgo(days) });
    expect((await list(buyer)).map((one: { id: number }) => one.id)).toEqual([2, 1, 3]);
  });

  test('an order is in the requested language', async () => {
    const buyer = await aStranger(mount().service);
    await order(buyer, {
      status: 'withdrawn',
      items: [anOrderItem({ product_id: TOOL })],
      subscription_name: { en: 'Monthly', ko: '월간' },
    });
    const [korean] = await list(buyer, { 'Accept-Language': 'ko' });
    expect(korean).toMatchObject({
      status: 'withdrawn',
      status_label: '청약철회',
      subscription_name: '월간',
      items: [{ product_name: '도구' }],
    });
  });

  test('an account without purchases has an empty list of orders', async () => {
    expect(await list(await aStranger(mount().service))).toEqual([]);
  });

  test('a key bound to one product reads all orders of the account', async () => {
    const buyer = await aBuyer(mount().service);
    await order(buyer, { items: [anOrderItem({ product_id: SKILL })] });
    const key = (await aKey(mount().service, buyer.account, { product_id: TOOL })).value;
    expect(await list({ ...buyer, key })).toHaveLength(1);
  });

  describe('the orders of another account', () => {
    let theirs: Buyer;
    let mine: Buyer;

    beforeAll(async () => {
      theirs = await aStranger(mount().service);
      mine = await aStranger(mount().service);
      await order(theirs, { id: 77 });
    });

    test('the list of orders omits orders of another account', async () => {
      expect(await list(theirs)).toHaveLength(1);
      expect(await list(mine)).toEqual([]);
    });

    test('an order of another account gets the same 404 text as an unknown order', async () => {
      const [other, none] = [await show(mine, 77), await show(mine, 78)];
      expect([other.status, other.body]).toEqual([404, { message: expect.any(String), error: 'order_not_found' }]);
      expect([none.status, none.text]).toEqual([404, other.text]);
    });

    test.each(NO_IDS)('the invalid order id %s gets the same 404 text as an unknown order', async (id) => {
      expect([(await show(mine, id)).status, (await show(mine, id)).text]).toEqual([404, (await show(mine, 78)).text]);
    });
  });

  test('an order with the highest possible id is found', async () => {
    const buyer = await aStranger(mount().service);
    await order(buyer, { id: Number.MAX_SAFE_INTEGER });
    expect((await show(buyer, Number.MAX_SAFE_INTEGER)).body.order.id).toBe(Number.MAX_SAFE_INTEGER);
    expect((await show(buyer, '9007199254740992')).status).toBe(404);
  });

  describe('the withdrawal from an order', () => {
    const bought = async (product_id: number, ordered_at: string): Promise<Buyer> => {
      const buyer = await aBuyer(mount().service, { product_id });
      await order(buyer, { ordered_at, items: [anOrderItem({ product_id })] });
      return buyer;
    };
    const withdrawable = async (buyer: Buyer): Promise<boolean> => (await list(buyer))[0].can_withdraw;
    const install = async ({ key }: Buyer, product_id: number) =>
      expect((await post(mount(), '/api/device/installs', key, { product_id, version: '1.0.0' })).status).toBe(201);

    test('an order can be withdrawn after six days, and not after nine', async () => {
      expect(await withdrawable(await bought(TOOL, daysAgo(6)))).toBe(true);
      expect(await withdrawable(await bought(TOOL, daysAgo(9)))).toBe(false);
    });

    test('an order can’t be withdrawn once a device installed its product', async () => {
      const buyer = await bought(TOOL, daysAgo(1));
      expect(await withdrawable(buyer)).toBe(true);
      await install(buyer, TOOL);
      expect(await withdrawable(buyer)).toBe(false);
      expect((await show(buyer, 1)).body.order.can_withdraw).toBe(false);
    });

    test('an order of a bundle can’t be withdrawn once a device installed a product of the bundle', async () => {
      const buyer = await bought(BUNDLE, daysAgo(1));
      await install(buyer, SKILL);
      expect(await withdrawable(buyer)).toBe(false);
    });

    test('an order can’t be withdrawn once a license check gave a device a slot', async () => {
      const buyer = await bought(TOOL, daysAgo(1));
      const check = (body: object) => post(mount(), '/api/license/check', buyer.key, { product_id: TOOL, ...body });
      expect((await check({})).body.valid).toBe(true);
      expect(await withdrawable(buyer)).toBe(true);
      expect((await check({ device_id: 'studio-mac' })).body.valid).toBe(true);
      expect(await withdrawable(buyer)).toBe(false);
    });

    test('an order can’t be withdrawn once a device told of a day with a launch', async () => {
      const buyer = await bought(TOOL, daysAgo(3));
      const used = (launches: number) => ({ product_id: TOOL, usage_date: dayFromNow(-1), launches });
      const upload = async (launches: number) => {
        const body = { consent: true, days: [used(launches)] };
        expect((await post(mount(), '/api/device/usage', buyer.key, body)).status).toBe(200);
      };
      await upload(0);
      expect(await withdrawable(buyer)).toBe(true);
      await upload(2);
      expect(await withdrawable(buyer)).toBe(false);
    });

    test('an order can’t be withdrawn once its bundle was downloaded, and can after a HEAD and an install plan', async () => {
      const buyer = await bought(SKILL, daysAgo(1));
      const path = `/api/products/${SKILL}/bundle`;
      expect((await send(mount(), 'HEAD', path, { key: buyer.key })).status).toBe(200);
      expect((await get(mount(), `/api/products/${SKILL}/install`, buyer.key)).status).toBe(200);
      expect(await withdrawable(buyer)).toBe(true);
      expect((await get(mount(), path, buyer.key)).status).toBe(200);
      expect(await withdrawable(buyer)).toBe(false);
    });

    test('an order can be withdrawn when only another account installed the product', async () => {
      const buyer = await bought(TOOL, daysAgo(1));
      await install(await bought(TOOL, daysAgo(1)), TOOL);
      expect(await withdrawable(buyer)).toBe(true);
    });

    test('an order can’t be withdrawn after an install of its product, even with three later installs of another product', async () => {
      const account = await anAccount(mount().service, { entitlements: [{ product_id: TOOL }, { product_id: SKILL }] });
      const buyer = { account, key: (await aKey(mount().service, account)).value };
      await order(buyer, { ordered_at: daysAgo(1), items: [anOrderItem({ product_id: TOOL })] });
      await install(buyer, TOOL);
      for (let n = 0; n < 3; n++) await install(buyer, SKILL);
      expect(await withdrawable(buyer)).toBe(false);
    });
  });
};
