import { DEFAULT_POLICY, type PolicyInForce } from '../policy/client-policy.ts';
import type { Language } from '../shared/language.ts';
import type { Localized } from '../shared/locale.ts';
import { type Color, DEFAULT_ACCENT, readableAccent, type Scheme } from './accent.ts';
import type { Lineage } from './lineage.ts';
import type { NoticeSettings } from './notify.ts';
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

/** A consistent, immutable snapshot of everything that the store sells, with its indexes. */
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
  /** Null until the operator sets one. */
  readonly disclosure: Disclosure | null;
  /** Null until the operator sets one. */
  readonly storefront: Storefront | null;
};

/** The product of the sample shop by which it differs from a shop's own store. */
const SAMPLE = { product_id: 4, slug: 'hashcheck' };

export const isSample = ({ products }: Pick<Catalog, 'products'>): boolean =>
  products.get(SAMPLE.product_id)?.slug === SAMPLE.slug;

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

/** The product with this id in decimal digits, or else with this slug. A slug can consist of digits too. */
export const productNamed = ({ products }: Pick<Catalog, 'products'>, named: string): Product | undefined => {
  const byId = /^[1-9]\d*$/.test(named) ? products.get(Number(named)) : undefined;
  return byId ?? [...products.values()].find(({ slug }) => slug === named);
};

/** The facts that a business must disclose. */
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

/** The shop's own pages that the account pages link to. */
export const SHOP_LINKS = ['site', 'billing', 'support', 'terms', 'privacy', 'refunds', 'imprint'] as const;
export type ShopLink = (typeof SHOP_LINKS)[number];

/** The shop's terms of withdrawal under its law. */
export type WithdrawalTerms = {
  /** The length of the period in days, from the day after the payment. */
  readonly days: number;
  /** The IANA name of the time zone in which days are counted. */
  readonly time_zone: string;
  /** The shop's page about withdrawal. */
  readonly terms_url: string | null;
};

/**
 * The shop's own product pages, as URLs with `{product_id}` in place of the id. Null uses the pages of this service.
 */
export type Storefront = {
  /** The page that sells a product (`product_url` of an order's item). */
  readonly product_url: string | null;
  /** The page that describes a product to its owner (`product_detail_url` of an entitlement). */
  readonly product_detail_url: string | null;
  /** The shop's branding on account pages and in messages; each part is absent if not set. */
  readonly name?: string | undefined;
  /** The logo: an https URL, or the picture itself as a `data:` URL. */
  readonly logo_url?: string | undefined;
  /** The logo for dark pages; without it, the other logo is shown there on a light background. */
  readonly logo_dark_url?: string | undefined;
  /** True if the logo contains the shop's name, so the name is not shown next to it. */
  readonly logo_has_name?: boolean | undefined;
  readonly accent?: string | undefined;
  readonly accent_dark?: string | undefined;
  readonly links?: { readonly [L in ShopLink]?: Localized | undefined } | undefined;
  readonly reply_to?: string | undefined;
  /** The language of messages to buyers whose own is unknown. */
  readonly locale?: Language | undefined;
  /** The languages of account pages and messages. The first is for people who prefer none of them. */
  readonly languages?: readonly Language[] | undefined;
  /** The IANA time zone of the shop's days. Without it, that of the withdrawal terms counts, or else UTC. */
  readonly time_zone?: string | undefined;
  /** The shop's own VAT number, printed on receipts. */
  readonly tax_number?: string | undefined;
  /** The receivers and times of notices about sales, tickets and problems; absent: each member, at the usual times. */
  readonly notify?: NoticeSettings | undefined;
  /** Null or absent if the shop offers no withdrawal. */
  readonly withdrawal?: WithdrawalTerms | null | undefined;
};

/** The time zone in which the shop's days are counted. */
export const zoneOf = (storefront: Storefront | null): string =>
  storefront?.time_zone ?? storefront?.withdrawal?.time_zone ?? 'UTC';

type ShopPage = 'product_url' | 'product_detail_url';

export const PRODUCT_ID = '{product_id}';

/** The URL of a product's page; null if the shop has no such page. */
export const shopPage = (storefront: Storefront | null, page: ShopPage, product_id: number): string | null =>
  storefront?.[page]?.replaceAll(PRODUCT_ID, String(product_id)) ?? null;

/**
 * The accent color of the shop's pages. Without one for dark pages, the light one is brightened until it is readable.
 */
export const accentOf = (storefront: Storefront | null): Readonly<Record<Scheme, Color>> => {
  const { accent, accent_dark } = (storefront ?? {}) as { readonly [Name in 'accent' | 'accent_dark']?: Color };
  const light = accent ?? DEFAULT_ACCENT.light;
  return { light, dark: accent_dark ?? (accent === undefined ? DEFAULT_ACCENT.dark : readableAccent(light, 'dark')) };
};
