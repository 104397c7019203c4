import type { Permit } from '../../domain/access/permit.ts';
import type { Membership } from '../../domain/accounts/account.ts';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { liveLeases } from '../../domain/devices/lease.ts';
import { DEVICES_LISTED, deviceOfLease, deviceView, liveHolds, slotsTaken } from '../../domain/devices/seat.ts';
import {
  type Access,
  accessTo,
  type GrantedAccess,
  productsBrought,
  productsGranting,
} from '../../domain/licensing/access.ts';
import type { Entitlement } from '../../domain/licensing/entitlement.ts';
import { withdrawnDevices } from '../../domain/licensing/license-check.ts';
import { editionsOf } from '../../domain/licensing/terms.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { productName } from '../catalog/product-views.ts';
import type { Clearance } from '../shared/steps.ts';

/**
 * The access of an account to one product, read again at each call. With the caller's `memberships`, the holdings of
 * its teams are read beside its own.
 */
export const readAccess = ({ licenses, clock }: Needs<'clock' | 'licenses'>) =>
  async function readAccess(
    account_id: number,
    product: Product,
    { bundles }: Pick<Catalog, 'bundles'>,
    memberships?: readonly Membership[],
  ): Promise<Access> {
    const places = product.slots === 'persons' ? memberships : [];
    const holdings = await licenses.held(account_id, productsGranting(product.id, bundles), places);
    return accessTo(product, bundles, holdings, clock.now());
  };

export type ReadAccess = ReturnType<typeof readAccess>;

/**
 * An account's access to a product, the number of devices that use it, and the first 100 of them, except those that the
 * client policy revokes.
 */
export const showLicense = ({
  catalogs,
  clock,
  devices,
  leases,
  links,
}: Needs<'catalogs' | 'clock' | 'devices' | 'leases' | 'links'>) =>
  async function showLicense({
    account_id,
    product,
    locale,
  }: {
    account_id: number;
    product: Product;
    locale: Locale;
  }) {
    const [{ policy }, seated, { slots }, sessions] = await Promise.all([
      catalogs.current(),
      devices.list(account_id, product.id),
      devices.find(account_id, product.id, null),
      product.slots === 'sessions' ? leases.of(account_id, product.id) : [],
    ]);
    const now = clock.now();
    const withdrawn = withdrawnDevices(product.id, policy.revoked);
    const live = liveLeases(sessions, withdrawn, now).map(deviceOfLease);
    const all = [...seated, ...liveHolds(slots.held, now), ...live].filter(
      ({ device_id }) => !withdrawn.includes(device_id),
    );
    // Only a full list may be incomplete, and only then is the count needed.
    const used = seated.length === DEVICES_LISTED ? slotsTaken(slots, now) : all.length;
    return async ({ access: granted }: Clearance<GrantedAccess>) =>
      ok({
        product: { id: product.id, name: productName(product, locale), bundle_id: product.bundle_id },
        access_source: granted.access_source,
        access_expires_at: granted.access_expires_at,
        updates_supported_until: granted.updates_supported_until,
        edition: granted.edition,
        features: granted.features,
        metadata: granted.metadata,
        devices: { used, limit: granted.device_limit },
        device_list: all.slice(0, DEVICES_LISTED).map(deviceView),
        manage_url: links.manageDevices(product.id),
      });
  };

export type GrantInput = Pick<Entitlement, 'edition' | 'features' | 'metadata'> & {
  account_id: number;
  product_id: number;
  device_limit: number | null;
  access_expires_at: Instant | null;
  updates_supported_until: Instant | null;
};

type Refusal = 'account_not_found' | 'product_not_found' | 'edition_not_found' | 'expiry_has_passed';

type Ports = Needs<'accounts' | 'catalogs' | 'clock' | 'grants' | 'ids'>;

/**
 * Grants an account an entitlement to a product without an order; each call adds one. `access_expires_at` must be in
 * the future; `updates_supported_until` may be in the past.
 */
export const grantEntitlement = ({ accounts, catalogs, grants, ids, clock }: Ports) =>
  async function grantEntitlement(permit: Permit, input: GrantInput): Promise<Outcome<Entitlement, Refusal>> {
    const [account, catalog] = await Promise.all([accounts.get(input.account_id), catalogs.current()]);
    if (!account) return refuse('account_not_found', { message: `There is no account ${input.account_id}.` });
    if (!catalog.products.has(input.product_id)) {
      return refuse('product_not_found', { message: `There is no product ${input.product_id}.` });
    }
    const { edition } = input;
    const brought = productsBrought(input.product_id, catalog.bundles).flatMap((id) => catalog.products.get(id) ?? []);
    if (edition !== undefined && !editionsOf(brought).has(edition)) {
      const known = [...editionsOf(brought)].join(', ') || 'none';
      const message = `Product ${input.product_id} has no edition ${edition}; name one that it has: ${known}.`;
      return refuse('edition_not_found', { message });
    }
    const granted_at = clock.now();
    if (input.access_expires_at !== null && input.access_expires_at <= granted_at) {
      return refuse('expiry_has_passed', {
        message: `The end of access ${input.access_expires_at} has passed; choose a later one.`,
      });
    }
    const entitlement: Entitlement = {
      id: ids.next(),
      ...input,
      source_product_id: null,
      order_id: null,
      order_item_id: null,
      grant_type: 'grant',
      source_quantity: 1,
      granted_at,
      revoked_at: null,
    };
    await grants.saveEntitlement(permit, entitlement);
    return ok(entitlement);
  };
