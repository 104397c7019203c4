import { describe, expect, test } from 'vitest';
import type { Order } from '../../../domain/billing/order.ts';
import type { Locale } from '../../../domain/shared/locale.ts';
import { billing } from '../../../runtimes/composition/areas/billing.ts';
import { anEntitlement, anOrder, anOrderItem, aProduct, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { API } from '../../support/memory-engines.ts';
import { aStore } from '../../support/memory-store.ts';
import { A_STOREFRONT } from '../../support/public-builders.ts';

const justPaid = (overrides: Partial<Order> = {}) => anOrder({ ordered_at: NOW, paid_at: NOW, ...overrides });

type Setting = Contents & { at?: string; locale?: Locale };

/** An order of account 1 as it sees it. */
const shown = async (order: Order, { at = NOW, locale = 'en', ...contents }: Setting = {}) => {
  const products = [aProduct({ name: { en: 'Notes', ko: '노트' } }), aProduct({ id: 100 })];
  const store = await aStore([billing], { products, storefront: A_STOREFRONT, ...contents });
  store.clock.at = at;
  const orders = Promise.resolve([order]);
  return (await store.get('readOrders')({ account_id: 1, locale, orders }))[0];
};

describe('how an order is shown', () => {
  test('a refund shows the amount returned, which after a partial refund is the rest', async () => {
    const refund = { refunded_at: NOW, item_ids: null, keeps_access: false, reason: null };
    const part = { ...refund, item_ids: [], keeps_access: true, amount_cents: 500 };
    const dispute = { ...refund, kind: 'dispute', amount_cents: 1900 } as const;
    const amounts = async (...refunds: Order['refunds'] & object) =>
      (await shown(justPaid({ status: 'refunded', refunds })))?.refunds.map(({ amount_cents }) => amount_cents);
    expect(await amounts(refund)).toEqual([null]);
    expect(await amounts(dispute, part, refund)).toEqual([500, 1400]);
    expect(await amounts({ ...refund, item_ids: [1] })).toEqual([null]);
  });

  test('a shop with its own pages is linked instead of the API’s responses', async () => {
    const entitlements = [anEntitlement({ order_id: 1, order_item_id: 1 })];
    const product_detail_url = 'https://shop.example/my/{product_id}?from=order';
    const own = { product_url: 'https://shop.example/p/{product_id}', product_detail_url };
    const order = await shown(justPaid(), { entitlements, storefront: own });
    expect(order?.items).toMatchObject([
      {
        product_url: 'https://shop.example/p/1',
        entitlements: [{ product_detail_url: 'https://shop.example/my/1?from=order' }],
      },
    ]);
    const half = await shown(justPaid(), { entitlements, storefront: { ...own, product_detail_url: null } });
    expect(half?.items[0]?.entitlements).toMatchObject([{ product_detail_url: `${API}/api/products/1/detail` }]);
  });

  test('an entitlement whose access ended at this moment is shown as expired', async () => {
    const ended = anEntitlement({ order_id: 1, order_item_id: 1, access_expires_at: NOW });
    const order = await shown(justPaid(), { entitlements: [ended] });
    const expired = { status: 'expired', access_state: 'none', active: false };
    expect(order?.items[0]?.entitlements).toMatchObject([expired]);
  });

  test('a product has its name at the time of the sale or else its current one, in the requested language', async () => {
    const old = justPaid({ items: [anOrderItem({ product_name: { en: 'Old notes' } })] });
    expect((await shown(old, { locale: 'ko' }))?.items).toMatchObject([{ product_name: 'Old notes' }]);
    expect((await shown(justPaid(), { locale: 'ko' }))?.items).toMatchObject([{ product_name: '노트' }]);
    const gone = justPaid({ items: [anOrderItem({ product_id: 99 })] });
    expect((await shown(gone))?.items).toMatchObject([{ product_name: '' }]);
  });
});
