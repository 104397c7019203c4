import { DEFAULT_POLICY, type PolicyInForce } from '../policy/client-policy.ts';
import type { Locale } from '../shared/locale.ts';
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

/** The facts that a business must disclose about itself (specification, Public disclosure). */
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
