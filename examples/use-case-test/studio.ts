import { StoreDocument } from 'account-service/endpoints';
import type { Entitlement } from 'account-service/rules';

const document = StoreDocument.parse({
  format: 1,
  products: [
    {
      id: 1,
      slug: 'studio',
      type: 'app',
      type_label: { en: 'App' },
      name: { en: 'Studio' },
      unit_price_cents: 900,
      currency: 'USD',
      delivery: { strategy: 'manual' },
      device_limit: 2,
      created_at: '2026-01-01T00:00:00.000Z',
    },
  ],
});

const [product] = document.products;
if (!product) throw new Error('The document has no product.');

/** A product for two devices. */
export const { content: _page, ...studio } = product;

/** Account 7 has the product until the end of June. */
export const untilJuly: Entitlement = {
  id: 1,
  account_id: 7,
  product_id: 1,
  source_product_id: null,
  order_id: null,
  order_item_id: null,
  grant_type: 'purchase',
  source_quantity: 1,
  device_limit: null,
  granted_at: '2026-01-01T00:00:00.000Z',
  revoked_at: null,
  access_expires_at: '2026-07-01T00:00:00.000Z',
  updates_supported_until: null,
};
