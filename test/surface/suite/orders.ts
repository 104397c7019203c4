import { beforeAll, describe, expect, test } from 'vitest';
import type { Order } from '../../../domain/billing/order.ts';
import { anOrder, anOrderItem } from '../../support/builders.ts';
import { aBuyer, aKey, aStranger, type Buyer, grant, putOrder } from '../buyers.ts';
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

  test('an order has all fields, and each item has the entitlements that it granted', async () => {
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
      vat_rate: null,
      sold_by: null,
      billing: null,
      invoice: null,
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

    const check = ({ key }: Buyer, body: object) =>
      post(mount(), '/api/license/check', key, { product_id: TOOL, ...body });
    const upload = ({ key }: Buyer, launches: number) => {
      const days = [{ product_id: TOOL, usage_date: dayFromNow(-1), launches }];
      return post(mount(), '/api/device/usage', key, { consent: true, days });
    };
    const bundle = ({ key }: Buyer, method: string, last: string) =>
      send(mount(), method, `/api/products/${SKILL}/${last}`, { key });

    test.each<[string, number, ((buyer: Buyer) => Promise<unknown>)[], (buyer: Buyer) => Promise<unknown>]>([
      ['a device installed its product', TOOL, [], (buyer) => install(buyer, TOOL)],
      ['a device installed a product of its bundle', BUNDLE, [], (buyer) => install(buyer, SKILL)],
      [
        'a license check gave a device a slot',
        TOOL,
        [(buyer) => check(buyer, {})],
        (buyer) => check(buyer, { device_id: 'studio-mac' }),
      ],
      ['a device told of a day with a launch', TOOL, [(buyer) => upload(buyer, 0)], (buyer) => upload(buyer, 2)],
      [
        'its file was downloaded',
        SKILL,
        [(buyer) => bundle(buyer, 'HEAD', 'bundle'), (buyer) => bundle(buyer, 'GET', 'install')],
        (buyer) => bundle(buyer, 'GET', 'bundle'),
      ],
    ])('the buyer can withdraw from an order until %s', async (_, product, harmless, use) => {
      const buyer = await bought(product, daysAgo(3));
      await install(await bought(product, daysAgo(1)), product === BUNDLE ? SKILL : product);
      for (const each of harmless) await each(buyer);
      expect(await withdrawable(buyer)).toBe(true);
      await use(buyer);
      expect([await withdrawable(buyer), (await show(buyer, 1)).body.order.can_withdraw]).toEqual([false, false]);
    });
  });
};
