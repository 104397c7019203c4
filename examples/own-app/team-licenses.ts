import type { Licenses } from 'account-service/ports';
import type { Entitlement, Holdings } from 'account-service/rules';

/** A row of the team's own customer table. The dates stay there after a customer has left the studio plan. */
export type Customer = {
  readonly id: number;
  readonly studio?: { readonly from: string; readonly until: string | null };
};

/** The product that the studio plan includes. */
const STUDIO_PRODUCT = 1;

type Held = (account_id: number) => Promise<Holdings>;

/**
 * The studio plan of the team's own customers, next to the grants of the account service. Each call reads both again.
 */
export const teamLicenses = (customers: readonly Customer[], granted: Held): Licenses => ({
  held: async (account_id) => {
    const { entitlements, subscriptions } = await granted(account_id);
    const studio = customers.find(({ id }) => id === account_id)?.studio;
    if (!studio) return { entitlements, subscriptions };
    const right: Entitlement = {
      id: 1,
      account_id,
      product_id: STUDIO_PRODUCT,
      source_product_id: null,
      order_id: null,
      order_item_id: null,
      grant_type: 'subscription',
      source_quantity: 1,
      device_limit: 2,
      granted_at: studio.from,
      revoked_at: null,
      // A plan that has ended stays in the answer, so that the customer learns why access ended.
      access_expires_at: studio.until,
      updates_supported_until: null,
    };
    return { entitlements: [right, ...entitlements], subscriptions };
  },
});
