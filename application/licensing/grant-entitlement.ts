import type { Permit } from '../../domain/access/permit.ts';
import type { Entitlement } from '../../domain/licensing/entitlement.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'accounts' | 'catalogs' | 'clock' | 'grants' | 'ids'>;

export type GrantWish = {
  account_id: number;
  product_id: number;
  device_limit: number | null;
  access_expires_at: Instant | null;
  updates_supported_until: Instant | null;
};

export type Refusal = 'account_not_found' | 'product_not_found' | 'expiry_has_passed';

/**
 * Grants an account an entitlement to a product without an order; each call adds one. `access_expires_at` must lie in
 * the future, and `updates_supported_until` may lie in the past.
 */
export const grantEntitlement =
  ({ accounts, catalogs, grants, ids, clock }: Ports) =>
  async (permit: Permit, wish: GrantWish): Promise<Outcome<Entitlement, Refusal>> => {
    const [account, catalog] = await Promise.all([accounts.get(wish.account_id), catalogs.current()]);
    if (!account) return refuse('account_not_found', { message: `There is no account ${wish.account_id}.` });
    if (!catalog.products.has(wish.product_id)) {
      return refuse('product_not_found', { message: `There is no product ${wish.product_id}.` });
    }
    const granted_at = clock.now();
    if (wish.access_expires_at !== null && wish.access_expires_at <= granted_at) {
      return refuse('expiry_has_passed', {
        message: `The end of access ${wish.access_expires_at} has passed; name a later one.`,
      });
    }
    const entitlement: Entitlement = {
      id: ids.next(),
      ...wish,
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

export type GrantEntitlement = ReturnType<typeof grantEntitlement>;
