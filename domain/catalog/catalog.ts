import { DEFAULT_POLICY, type PolicyInForce } from '../policy/client-policy.ts';
import type { Locale, Localized } from '../shared/locale.ts';
import { type Color, DEFAULT_ACCENT, readableAccent, type Scheme } from './accent.ts';
import type { Lineage } from './lineage.ts';
import type { Bundle, Category, Product, Tag } from './product.ts';

export type CatalogParts = {
  readonly products: readonly Product[];
  readonly categories: readonly Category[];
  readonly tags: readonly Tag[];
  readonly bundles: readonly Bundle[];
  readonly lineages?: readonly Lineage[] | undefined;
  readonly policy?: PolicyInForce | undefined;
  readonly disclosure?: Disclosure | undefined;
  readonly storefront?: Storefront | undefined;
};

/** One consistent, immutable snapshot of everything that the store sells, with its indexes. */
export type Catalog = {
  readonly products: ReadonlyMap<number, Product>;
  readonly productsByBundleId: ReadonlyMap<string, Product>;
  readonly categories: ReadonlyMap<number, Category>;
  readonly tags: ReadonlyMap<number, Tag>;
  /** By id. Bundles that are no longer sold are included, because their owners keep the products in them. */
  readonly bundles: readonly Bundle[];
  /** By id. Inactive lineages are included. */
  readonly lineages: readonly Lineage[];
  readonly policy: PolicyInForce;
  /** Null until the operator has entered one. */
  readonly disclosure: Disclosure | null;
  /** Null until the operator has entered one. */
  readonly storefront: Storefront | null;
};

const byId = <T extends { readonly id: number }>(rows: readonly T[]): ReadonlyMap<number, T> =>
  new Map([...rows].sort((a, b) => a.id - b.id).map((row) => [row.id, row]));

export const catalogOf = (parts: CatalogParts): Catalog => {
  const {
    products,
    categories,
    tags,
    bundles,
    lineages = [],
    policy = DEFAULT_POLICY,
    disclosure = null,
    storefront = null,
  } = parts;
  return {
    products: byId(products),
    productsByBundleId: new Map(products.flatMap((p) => (p.bundle_id === null ? [] : [[p.bundle_id, p] as const]))),
    categories: byId(categories),
    tags: byId(tags),
    bundles: [...bundles].sort((a, b) => a.id - b.id),
    lineages: [...lineages].sort((a, b) => a.id - b.id),
    policy,
    disclosure,
    storefront,
  };
};

/** The product with this id in decimal digits, or else the product with this slug. A slug can consist of digits too. */
export const productNamed = ({ products }: Pick<Catalog, 'products'>, named: string): Product | undefined => {
  const byId = /^[1-9]\d*$/.test(named) ? products.get(Number(named)) : undefined;
  return byId ?? [...products.values()].find(({ slug }) => slug === named);
};

/** The facts that a business must disclose about itself. */
export const DISCLOSURE_FIELDS = [
  'company_name',
  'representative_name',
  'business_registration_number',
  'mail_order_registration_number',
  'address',
  'phone',
  'email',
  'website',
  'ftc_biz_info_url',
] as const;

export type CompanyDisclosure = { readonly [Field in (typeof DISCLOSURE_FIELDS)[number]]: string };

export type Disclosure = { readonly ko: CompanyDisclosure; readonly en: CompanyDisclosure };

/** The pages of the shop itself that the account pages lead to. */
export const SHOP_LINKS = ['site', 'billing', 'support', 'terms', 'privacy', 'refunds', 'imprint'] as const;
export type ShopLink = (typeof SHOP_LINKS)[number];

/** The shop's terms of withdrawal, by the law that binds it. */
export type WithdrawalTerms = {
  /** The days of the period, which begins on the day after the payment. */
  readonly days: number;
  /** The IANA name of the zone whose days count. */
  readonly time_zone: string;
  /** The shop's page about withdrawal. */
  readonly terms_url: string | null;
};

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
  /** Null and absent: the shop offers no withdrawal. */
  readonly withdrawal?: WithdrawalTerms | null | undefined;
};

type ShopPage = 'product_url' | 'product_detail_url';

export const PRODUCT_ID = '{product_id}';

/** The address of a product's page; null where the shop has no such page. */
export const shopPage = (storefront: Storefront | null, page: ShopPage, product_id: number): string | null =>
  storefront?.[page]?.replaceAll(PRODUCT_ID, String(product_id)) ?? null;

/** The accent of the shop's pages. A shop that has chosen none for the dark gets its own, as light as text must be. */
export const accentOf = (storefront: Storefront | null): Readonly<Record<Scheme, Color>> => {
  const { accent, accent_dark } = (storefront ?? {}) as { readonly [Name in 'accent' | 'accent_dark']?: Color };
  const light = accent ?? DEFAULT_ACCENT.light;
  return { light, dark: accent_dark ?? (accent === undefined ? DEFAULT_ACCENT.dark : readableAccent(light, 'dark')) };
};
