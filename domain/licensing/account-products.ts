import type { ProductScope } from '../access/principal.ts';
import { isInScope } from '../access/principal.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Bundle, Product } from '../catalog/product.ts';
import { liveLeases } from '../devices/lease.ts';
import {
  type Device,
  deviceOfLease,
  type HeldDevice,
  type KeptSlots,
  liveHolds,
  NO_SLOTS,
  slotsTaken,
} from '../devices/seat.ts';
import { HOUR_MS, hasPassed, type Instant, millis, toInstant } from '../shared/instant.ts';
import { type Access, accessTo, type GrantedAccess, productsGranting } from './access.ts';
import type { Holdings } from './entitlement.ts';

export type UsableProduct = { readonly product: Product; readonly access: GrantedAccess };

/** The products that a caller may use with these holdings, each with its access, in the order of the catalog. */
export const usableProducts = (
  { products, bundles }: Pick<Catalog, 'products' | 'bundles'>,
  scope: ProductScope,
  holdings: Holdings,
  now: Instant,
): UsableProduct[] => {
  // Each product checks only the entitlements that name it, not all of the account's.
  const byProduct = Map.groupBy(holdings.entitlements, ({ product_id }) => product_id);
  const usable: UsableProduct[] = [];
  for (const product of products.values()) {
    if (!isInScope(scope, product.id)) continue;
    const entitlements = productsGranting(product.id, bundles).flatMap((id) => byProduct.get(id) ?? []);
    const access = accessTo(product, bundles, { ...holdings, entitlements }, now);
    if (access.granted) usable.push({ product, access });
  }
  return usable;
};

/** Hours by which a local calendar day may begin before or end after the same day in UTC. */
const AHEAD_HOURS = 14;
const BEHIND_HOURS = 12;

/** The holdings as they stood at a moment: an entitlement that was revoked later still counts. */
const heldAt = ({ entitlements, subscriptions }: Holdings, at: Instant): Holdings => ({
  entitlements: entitlements.map((one) => (hasPassed(one.revoked_at, at) ? one : { ...one, revoked_at: null })),
  subscriptions,
});

/**
 * True if the account had access to the product at some time of a local calendar day (`YYYY-MM-DD`) in any time zone,
 * before `now`.
 */
export const couldUseOn = (
  product: Product,
  { bundles }: Pick<Catalog, 'bundles'>,
  holdings: Holdings,
  day: string,
  now: Instant,
): boolean => {
  const midnight = millis(`${day}T00:00:00.000Z`);
  const upToNow = (ms: number): Instant => toInstant(Math.min(ms, millis(now)));
  const begin = upToNow(midnight - AHEAD_HOURS * HOUR_MS);
  const end = upToNow(midnight + (24 + BEHIND_HOURS) * HOUR_MS);
  const accessAt = (at: Instant) => accessTo(product, bundles, heldAt(holdings, at), at);
  const first = accessAt(begin);
  if (first.granted || accessAt(end).granted) return true;
  return first.begins_at !== undefined && first.begins_at <= end && accessAt(first.begins_at).granted;
};

export type PurchasedProduct = {
  readonly product: Product;
  readonly access: Access;
  /** True if the product only represents a bundle of others. */
  readonly isBundle: boolean;
};

/** The products to which these holdings give or gave access, active ones first, in the order of the catalog. */
export const purchasedProducts = (
  { products, bundles }: Pick<Catalog, 'products' | 'bundles'>,
  holdings: Holdings,
  now: Instant,
): PurchasedProduct[] => {
  const all = [...products.values()].flatMap((product) => {
    const access = accessTo(product, bundles, holdings, now);
    if (!access.granted && access.reason === 'not_entitled') return [];
    return [{ product, access, isBundle: bundles.some(({ product_id }) => product_id === product.id) }];
  });
  return [...all.filter(({ access }) => access.granted), ...all.filter(({ access }) => !access.granted)];
};

export type DeviceProduct = {
  readonly product: Product;
  /** Null means no limit; 0 if the account's access to the product has ended. */
  readonly device_limit: number | null;
  readonly used: number;
  /** The released devices whose offline files still hold slots, and the devices of sessions. */
  readonly held: readonly (Device | HeldDevice)[];
};

/**
 * The products of `selected` that the account may use or has devices for, without bundle products, which have no
 * devices. `slotsOf` has the slots by product id.
 */
export const deviceProducts = (
  selected: readonly Product[],
  bundles: readonly Bundle[],
  holdings: Holdings,
  slotsOf: ReadonlyMap<number, KeptSlots>,
  now: Instant,
): DeviceProduct[] =>
  selected.flatMap((product) => {
    const slots = slotsOf.get(product.id) ?? NO_SLOTS;
    const used = slotsTaken(slots, now);
    const access = accessTo(product, bundles, holdings, now);
    const isBundle = bundles.some(({ product_id }) => product_id === product.id);
    if (used === 0 && (isBundle || !access.granted)) return [];
    const sessions = liveLeases(slots.sessions ?? [], [], now).map(deviceOfLease);
    const held = [...liveHolds(slots.held, now), ...sessions];
    return [{ product, device_limit: access.granted ? access.device_limit : 0, used, held }];
  });
