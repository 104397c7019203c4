import type { Locale, Localized } from '../shared/locale.ts';
import { type Color, DEFAULT_ACCENT, readableAccent, type Scheme } from './accent.ts';

/** The pages of the shop itself that the account pages lead to. */
export const SHOP_LINKS = ['site', 'support', 'terms', 'privacy', 'refunds', 'imprint'] as const;
export type ShopLink = (typeof SHOP_LINKS)[number];

/**
 * The shop's own pages of its products, as addresses in which `{product_id}` stands for the id. A page that is null is
 * answered by this service.
 */
export type Storefront = {
  /** Where a product is sold (`product_url` of an order's item). */
  readonly product_url: string | null;
  /** Where a product is described to its owner (`product_detail_url` of an entitlement). */
  readonly product_detail_url: string | null;
  /** The shop's face on its account pages and in its messages; each is absent where a store has none. */
  readonly name?: string | undefined;
  readonly logo_url?: string | undefined;
  /** The logo on dark pages; without it the logo stands on a light ground there. */
  readonly logo_dark_url?: string | undefined;
  readonly accent?: string | undefined;
  readonly accent_dark?: string | undefined;
  readonly links?: { readonly [L in ShopLink]?: Localized | undefined } | undefined;
  readonly reply_to?: string | undefined;
  readonly locale?: Locale | undefined;
};

type ShopPage = 'product_url' | 'product_detail_url';

export const PRODUCT_ID = '{product_id}';

/** The address of a product's page; null where the shop has no such page. */
export const shopPage = (storefront: Storefront | null, page: ShopPage, productId: number): string | null =>
  storefront?.[page]?.replaceAll(PRODUCT_ID, String(productId)) ?? null;

/** The accent of the shop's pages. A shop that has chosen none for the dark gets its own, as light as text must be. */
export const accentOf = (storefront: Storefront | null): Readonly<Record<Scheme, Color>> => {
  const { accent, accent_dark } = (storefront ?? {}) as { readonly [Name in 'accent' | 'accent_dark']?: Color };
  const light = accent ?? DEFAULT_ACCENT.light;
  return { light, dark: accent_dark ?? (accent === undefined ? DEFAULT_ACCENT.dark : readableAccent(light, 'dark')) };
};
