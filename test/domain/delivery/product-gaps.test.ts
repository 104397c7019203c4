import { describe, expect, test } from 'vitest';
import type { Product } from '../../../domain/catalog/product.ts';
import { releaseLine } from '../../../domain/delivery/offered-release.ts';
import { productGaps, type SellingShop } from '../../../domain/delivery/supply.ts';
import { sparkleOrder } from '../../../domain/delivery/version-order.ts';
import { aProduct, NOW } from '../../support/builders.ts';

const READY: SellingShop = {
  bundles: [],
  storefront: {
    product_url: null,
    product_detail_url: null,
    name: 'Shop',
    withdrawal: { days: 14, time_zone: 'Europe/Berlin', terms_url: null },
  },
  providers: ['stripe'],
  signs_policy: true,
};
const manual = { ...aProduct().delivery, strategy: 'manual' } as const;
const terms = { device_limit: null, access_days: null, updates_days: null, grace_days: 0, apps: null };
const priced = [{ provider: 'stripe', id: 'price_1', ...terms }];

const gapsOf = (fields: Partial<Product>, shop: Partial<SellingShop>) => {
  const product = aProduct({ delivery: manual, prices: priced, ...fields });
  const gaps = productGaps({ ...releaseLine(product, [], NOW, sparkleOrder()), product }, { ...READY, ...shop });
  return gaps.map(({ gap, needed }) => `${gap}${needed ? '' : ' (advice)'}`);
};

describe('the steps before a product can be sold', () => {
  test.each<[string, Partial<Product>, Partial<SellingShop>, string[]]>([
    ['a priced product of a shop that is set up lacks nothing', {}, {}, []],
    ['a paid product needs a payment provider', {}, { providers: [] }, ['no_provider']],
    ['a paid product needs a price of a connected provider', { prices: [] }, {}, ['no_price']],
    ['a price of a provider that is not connected does not count', {}, { providers: ['paddle'] }, ['no_price']],
    ['the shop’s own system needs no price', { prices: [] }, { providers: ['shop'] }, []],
    ['a free product needs no payment', { unit_price_cents: 0, prices: [] }, { providers: [] }, []],
    [
      'a new shop is advised of its key, its name and its terms',
      {},
      { storefront: null, signs_policy: false },
      ['no_signing_key (advice)', 'no_shop_name (advice)', 'no_withdrawal_terms (advice)'],
    ],
  ])('%s', (_title, product, shop, gaps) => {
    expect(gapsOf(product, shop)).toEqual(gaps);
  });
});
