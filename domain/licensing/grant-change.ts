import type { Catalog } from '../catalog/catalog.ts';
import type { LicenseTerms, Product } from '../catalog/product.ts';
import { type Instant, movedEnd } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { inOrder, type ListOrder, placeOf } from '../shared/paging.ts';
import { isSameJson } from '../shared/same-json.ts';
import { accessTo, productsBrought, renewedEntitlements } from './access.ts';
import { type Entitlement, entitlementStatus, type GrantStatus, grantStatus, type Holdings } from './entitlement.ts';
import { accessEnd, type Subscription } from './subscription.ts';

/** The entitlement, revoked now; unchanged if it was revoked before. */
export const revokedEntitlement = (entitlement: Entitlement, now: Instant): Entitlement =>
  entitlement.revoked_at === null ? { ...entitlement, revoked_at: now } : entitlement;

/** The terms that an operator changes; absent ones stay. Null means no end, or the product's own limit. */
export type GrantExtension = {
  readonly access_expires_at?: Instant | null;
  readonly updates_supported_until?: Instant | null;
  readonly device_limit?: number | null;
};

const isLess = <T extends Instant | number>(input: T | null, is: T | null): boolean =>
  input !== null && (is === null || input < is);

const shortens = (field: string, is: string): Outcome<never, 'would_shorten'> =>
  refuse('would_shorten', {
    message: `This would take something away: ${field} ${is}. Only later or higher terms are accepted; to take rights away, revoke the entitlement and grant another one.`,
  });

/**
 * The entitlement with extended terms, or unchanged if it already has them. It refuses an earlier end or fewer devices
 * than now, so that a mistyped date takes nothing from a buyer, an end of access in the past, and a revoked
 * entitlement. `productLimit` is the product's own device limit; null means no limit.
 */
export const extendedEntitlement = (
  entitlement: Entitlement,
  input: GrantExtension,
  productLimit: number | null,
  now: Instant,
): Outcome<Entitlement, 'grant_is_revoked' | 'expiry_has_passed' | 'would_shorten'> => {
  const { revoked_at, access_expires_at, updates_supported_until, device_limit, account_id } = entitlement;
  if (revoked_at !== null) {
    return refuse('grant_is_revoked', {
      message: `Entitlement ${entitlement.id} was revoked at ${revoked_at} and cannot be restored; grant account ${account_id} a new one with "grant".`,
    });
  }
  const after: Entitlement = { ...entitlement, ...input };
  if (isLess(after.access_expires_at, access_expires_at)) {
    return shortens('access lasts', access_expires_at === null ? 'for good' : `until ${access_expires_at}`);
  }
  if (
    after.access_expires_at !== access_expires_at &&
    after.access_expires_at !== null &&
    after.access_expires_at <= now
  ) {
    return refuse('expiry_has_passed', {
      message: `The end of access ${after.access_expires_at} has passed; choose a later one.`,
    });
  }
  if (isLess(after.updates_supported_until, updates_supported_until)) {
    return shortens(
      'updates are covered',
      updates_supported_until === null ? 'for good' : `until ${updates_supported_until}`,
    );
  }
  const limit = device_limit ?? productLimit;
  if (isLess(after.device_limit ?? productLimit, limit)) {
    return shortens('each unit allows', limit === null ? 'any number of devices' : `${limit} devices`);
  }
  return ok(isSameJson(after, entitlement) ? entitlement : after);
};

/** The stored form of an entitlement that was extended in its displayed form (`renewedEntitlements`). */
export const extendedAsStored = (stored: Entitlement, renewed: Entitlement, extended: Entitlement): Entitlement => {
  const end = (name: 'access_expires_at' | 'updates_supported_until') =>
    movedEnd(extended[name], renewed[name] ?? '', stored[name]);
  const [access_expires_at, updates_supported_until] = [end('access_expires_at'), end('updates_supported_until')];
  return { ...extended, access_expires_at, updates_supported_until };
};

type Goods = Pick<Catalog, 'products' | 'bundles'>;

/** The products that an entitlement gives, split by whether the account may use them with these holdings. */
export const reachOf = (
  { product_id }: Pick<Entitlement, 'product_id'>,
  { products, bundles }: Goods,
  holdings: Holdings,
  now: Instant,
): { readonly usable: readonly Product[]; readonly unusable: readonly Product[] } => {
  const isBundle = bundles.some((bundle) => bundle.product_id === product_id);
  const ids = productsBrought(product_id, bundles).filter((id) => !isBundle || id !== product_id);
  const reached = [...new Set(ids)].flatMap((id) => products.get(id) ?? []);
  const isUsable = (product: Product): boolean => accessTo(product, bundles, holdings, now).granted;
  return {
    usable: reached.filter(isUsable),
    unusable: reached.filter((product) => !isUsable(product)),
  };
};

/** A grant of either kind, as the operator sees it. */
export type GrantRow = {
  readonly kind: 'entitlement' | 'subscription';
  readonly id: number;
  readonly status: GrantStatus;
  /** The products of the grant, by slug, or by id if the product no longer exists. */
  readonly products: readonly string[];
  /** The origin of the grant: its type, bundle and order. */
  readonly why: string;
  readonly granted_at: Instant;
  /** The end of access, including a subscription's grace period; null means never. */
  readonly access_expires_at: Instant | null;
  readonly updates_supported_until: Instant | null;
  readonly revoked_at: Instant | null;
  readonly order_id: number | null;
  /** Devices of each unit; null means the product's limit. */
  readonly device_limit: number | null;
  readonly units: number;
  readonly edition: string | null;
  readonly features: readonly string[];
};

export type Products = ReadonlyMap<number, Product>;

const slugOf = (products: Products, id: number): string => products.get(id)?.slug ?? String(id);

const soldTerms = ({ edition, features = [] }: LicenseTerms) => ({ edition: edition ?? null, features });

const withOrder = (why: string, order_id: number | null): string =>
  order_id === null ? why : `${why}, order ${order_id}`;

const entitlementRow = (entitlement: Entitlement, products: Products, now: Instant): GrantRow => {
  const { id, grant_type, source_product_id, order_id, key_batch_id } = entitlement;
  const kinds = { renewal: entitlement.renews, upgrade: entitlement.upgrades_from, 'add-on': entitlement.requires };
  const [kind] = Object.entries(kinds).flatMap(([name, is]) => (is ? [name] : []));
  const type = kind === undefined ? grant_type : `${kind} by ${grant_type}`;
  const source = source_product_id === null ? type : `${type} of ${slugOf(products, source_product_id)}`;
  return {
    kind: 'entitlement',
    id,
    status: entitlementStatus(entitlement, now),
    products: [slugOf(products, entitlement.product_id)],
    why: key_batch_id === undefined ? withOrder(source, order_id) : `key of batch ${key_batch_id}`,
    granted_at: entitlement.granted_at,
    access_expires_at: entitlement.access_expires_at,
    updates_supported_until: entitlement.updates_supported_until,
    revoked_at: entitlement.revoked_at,
    order_id,
    device_limit: entitlement.device_limit,
    units: entitlement.source_quantity,
    ...soldTerms(entitlement),
  };
};

const subscriptionRow = (subscription: Subscription, products: Products, now: Instant): GrantRow => {
  const { id, starts_at, ends_at, cancelled_at, device_limit, billing } = subscription;
  const end = accessEnd(subscription);
  const order_id = billing?.order_id ?? null;
  return {
    kind: 'subscription',
    id,
    status: grantStatus({ starts_at, access_expires_at: end, revoked: false }, now),
    products: subscription.product_ids.map((product_id) => slugOf(products, product_id)),
    why: withOrder(cancelled_at === null ? 'subscription' : 'cancelled subscription', order_id),
    granted_at: starts_at,
    access_expires_at: end,
    updates_supported_until: ends_at,
    revoked_at: null,
    order_id,
    device_limit,
    units: Math.max(1, ...Object.values(subscription.units ?? {})),
    ...soldTerms(subscription),
  };
};

/** The newest grants first. */
export const GRANTS: ListOrder<GrantRow> = {
  place: ({ granted_at, id, kind }) => placeOf(granted_at, id, kind),
  highestFirst: true,
};

/** The grants of an account, newest first. */
export const grantRows = (holdings: Holdings, { products, bundles }: Goods, now: Instant): GrantRow[] =>
  inOrder(
    [
      ...renewedEntitlements(holdings, bundles).map((one) => entitlementRow(one, products, now)),
      ...holdings.subscriptions.map((one) => subscriptionRow(one, products, now)),
    ],
    GRANTS,
  );
