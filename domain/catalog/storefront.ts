import type { Locale } from '../shared/locale.ts';

/**
 * The shop's own pages of its products, as addresses in which `{product_id}` stands for the id. A page that is null is
 * answered by this service.
 */
export type Storefront = {
  /** Where a product is sold (`product_url` of an order's item). */
  readonly product_url: string | null;
  /** Where a product is described to its owner (`product_detail_url` of an entitlement). */
  readonly product_detail_url: string | null;
  /** The shop's name, logo and language, and where buyers may answer, for messages; absent where a store has none. */
  readonly name?: string | undefined;
  readonly logo_url?: string | undefined;
  readonly reply_to?: string | undefined;
  readonly locale?: Locale | undefined;
};

type ShopPage = 'product_url' | 'product_detail_url';

export const PRODUCT_ID = '{product_id}';

/** The address of a product's page; null where the shop has no such page. */
export const shopPage = (storefront: Storefront | null, page: ShopPage, productId: number): string | null =>
  storefront?.[page]?.replaceAll(PRODUCT_ID, String(productId)) ?? null;
