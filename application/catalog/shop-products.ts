import { soldUnits } from '../../domain/billing/refund.ts';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import { productNamed } from '../../domain/catalog/catalog.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Channel } from '../../domain/delivery/channel.ts';
import { feedReadersOf } from '../../domain/delivery/feed-access.ts';
import { newestByChannel, releaseLine } from '../../domain/delivery/offered-release.ts';
import { type Release, type ReleaseState, releaseState } from '../../domain/delivery/release.ts';
import { hasContent, type ProductGap, productGaps, type SellingShop } from '../../domain/delivery/supply.ts';
import { newestFirst } from '../../domain/delivery/version-order.ts';
import { emptyDays, shownSum, USAGE_DAYS, type UsageSum, withAccount } from '../../domain/devices/usage.ts';
import { bundlesWith } from '../../domain/licensing/access.ts';
import { usableProducts } from '../../domain/licensing/account-products.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import { currentKey } from '../../domain/signing/signing-key-ring.ts';
import type { Catalogs } from '../../ports/outbound/catalog.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { accountMissing } from '../accounts/accounts.ts';
import { eachAccount, type Progress, unseen } from '../shared/progress.ts';

/** The refusal for an unknown product. */
export const productMissing = (named: string): Refused<'product_not_found'> =>
  refuse('product_not_found', { message: `There is no product ${named}.` });

/** The product with an id or slug. */
export const findProduct = ({ catalogs }: { catalogs: Catalogs }) =>
  async function findProduct(named: string): Promise<Outcome<Product, 'product_not_found'>> {
    const product = productNamed(await catalogs.current(), named);
    return product ? ok(product) : productMissing(named);
  };

export type FindProduct = ReturnType<typeof findProduct>;

/** The number of newest releases with which a product is described; a list has all of them. */
const SHOWN_RELEASES = 10;

export type ListedRelease = Release & { readonly state: ReleaseState };

type ListProductReleasesPorts = Needs<'clock' | 'releaseEditor' | 'versions'> & { findProduct: FindProduct };

/** All releases of a product for the operator, newest first, including those that clients are not offered. */
export const listProductReleases = ({ findProduct, releaseEditor, versions, clock }: ListProductReleasesPorts) =>
  async function listProductReleases(named: string): Promise<Outcome<ListedRelease[], 'product_not_found'>> {
    const found = await findProduct(named);
    if (!found.ok) return found;
    const { id, version_scheme } = found.value;
    const now = clock.now();
    const released = [...(await releaseEditor.released(id))].sort(newestFirst(versions.order(version_scheme)));
    return ok(released.map((release) => ({ ...release, state: releaseState(release, now) })));
  };

export type ListProductReleases = ReturnType<typeof listProductReleases>;

/** The paid units minus refunds, and the accounts that may use the product now. */
export type Sales = { readonly sold: number; readonly owners: number };

export type ListedProduct = {
  readonly product: Product;
  /** The newest version that each channel offers by itself; null if there is none. */
  readonly newest: Readonly<Record<Channel, string | null>>;
  /** Null if not requested. */
  readonly sales: Sales | null;
  /** The missing steps, without those of its page. */
  readonly gaps: readonly ProductGap[];
};

type SellingPorts = Needs<'catalogs' | 'clock' | 'connectedProviders' | 'policyKeys'>;

const sellingShop = async ({
  catalogs,
  clock,
  connectedProviders: providers,
  policyKeys,
}: SellingPorts): Promise<SellingShop> => {
  const [{ bundles, storefront }, ring] = await Promise.all([catalogs.current(), policyKeys.current()]);
  return { bundles, storefront, providers, signs_policy: currentKey(ring, clock.now()) !== undefined };
};

/**
 * Every product by its id, including hidden ones and those off sale. Sales are stored with the accounts, so counting
 * them reads every account.
 */
export const listShopProducts = (
  ports: SellingPorts & Needs<'accounts' | 'licenses' | 'releases' | 'storedOrders' | 'versions'>,
) => {
  const { catalogs, releases, clock, versions, accounts, storedOrders, licenses } = ports;

  const salesOf = async (catalog: Catalog, now: Instant, progress: Progress): Promise<ReadonlyMap<number, Sales>> => {
    const sales = new Map<number, Sales>();
    const add = (product_id: number, more: Sales): void => {
      const { sold, owners } = sales.get(product_id) ?? { sold: 0, owners: 0 };
      sales.set(product_id, { sold: sold + more.sold, owners: owners + more.owners });
    };
    await eachAccount(accounts, progress, async (id) => {
      const [orders, holdings] = await Promise.all([storedOrders.ofAccount(id), licenses.held(id)]);
      for (const { product_id, units } of orders.flatMap(soldUnits)) add(product_id, { sold: units, owners: 0 });
      for (const { product } of usableProducts(catalog, { product_id: null }, holdings, now))
        add(product.id, { sold: 0, owners: 1 });
    });
    return sales;
  };

  return async function listShopProducts(
    { sold }: { readonly sold: boolean },
    progress: Progress = unseen,
  ): Promise<ListedProduct[]> {
    const now = clock.now();
    const catalog = await catalogs.current();
    const released = await releases.of([...catalog.products.keys()]);
    const shop = await sellingShop(ports);
    const sales = sold ? await salesOf(catalog, now, progress) : null;
    return [...catalog.products.values()].map((product) => {
      const order = versions.order(product.version_scheme);
      const line = releaseLine(product, released.get(product.id) ?? [], now, order);
      return {
        product,
        newest: newestByChannel(line),
        sales: sales && (sales.get(product.id) ?? { sold: 0, owners: 0 }),
        gaps: productGaps({ ...line, product }, shop),
      };
    });
  };
};

/** A product with all details for the operator, and what it still lacks. */
export const describeProduct = (
  ports: SellingPorts & Needs<'versions'> & { findProduct: FindProduct; listProductReleases: ListProductReleases },
) =>
  async function describeProduct({ product: named }: { readonly product: string }) {
    const { findProduct, listProductReleases, catalogs, versions, clock } = ports;
    const found = await findProduct(named);
    if (!found.ok) return found;
    const product = found.value;
    const [listed, shop, content] = await Promise.all([
      listProductReleases(String(product.id)),
      sellingShop(ports),
      catalogs.content(product.id),
    ]);
    if (!listed.ok) return listed;
    const { bundles } = shop;
    const line = releaseLine(product, listed.value, clock.now(), versions.order(product.version_scheme));
    return ok({
      product,
      /** The newest ones, newest first, and the number of all. */
      releases: listed.value.slice(0, SHOWN_RELEASES),
      release_count: listed.value.length,
      /** The newest version that each channel offers by itself; null if there is none. */
      newest: newestByChannel(line),
      /** The readers of the appcast; null if the product has none. */
      feed: feedReadersOf(product),
      in_bundles: bundlesWith(product.id, bundles),
      /** The products in it, if it is a bundle; null for any other product. */
      brings: bundles.find(({ product_id }) => product_id === product.id)?.product_ids ?? null,
      has_content: hasContent(content),
      /** The text of its page as the owner wrote it. */
      detail_html: content?.detail_html ?? null,
      gaps: productGaps({ ...line, product }, shop, { of: content }),
    });
  };

export type DescribedProduct = Extract<Awaited<ReturnType<ReturnType<typeof describeProduct>>>, { ok: true }>['value'];

export type UsageFilter = {
  /** Id or slug of a product; null means every product. */
  readonly product: string | null;
  /** Null means every account. */
  readonly account_id: number | null;
  /** The number of days up to today (UTC); null is the usual number. */
  readonly days: number | null;
};

export type ShownUsage = {
  readonly product_id: number | null;
  readonly account_id: number | null;
  /** Oldest first. */
  readonly days: readonly UsageSum[];
};

type ShowUsagePorts = Needs<'accounts' | 'clock' | 'usage'> & { findProduct: FindProduct };

/**
 * The usage of a product, of an account, or of a product by an account, day by day. Usage is stored by account, so a
 * product's total usage reads every account; memory holds one number of each kind per day, and the rows of the accounts
 * being read.
 */
export const showUsage = ({ findProduct, accounts, usage, clock }: ShowUsagePorts) =>
  async function showUsage(
    input: UsageFilter,
    progress: Progress = unseen,
  ): Promise<Outcome<ShownUsage, 'product_not_found' | 'account_not_found'>> {
    const { account_id } = input;
    const found = input.product === null ? ok(null) : await findProduct(input.product);
    if (!found.ok) return found;
    const product_id = found.value?.id ?? null;
    if (account_id !== null && !(await accounts.get(account_id))) {
      return accountMissing(account_id);
    }
    let days = emptyDays(clock.now(), input.days ?? USAGE_DAYS);
    const since = days[0]?.date ?? null;
    const read = async (id: number): Promise<void> => {
      const rows = await Array.fromAsync(usage.list(id, { product_id, since }));
      if (rows.length > 0) days = withAccount(days, rows);
    };
    await (account_id === null ? eachAccount(accounts, progress, read) : read(account_id));
    return ok({ product_id, account_id, days: days.map(shownSum) });
  };
