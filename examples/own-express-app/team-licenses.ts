import type { Entitlement, Holdings } from 'account-service/domain/licensing/entitlement';
import type { Licenses } from 'account-service/ports/licenses';

/** A row of the team's own customer table. The dates of the studio plan stay there after a customer has left the plan. */
export type Customer = {
  readonly id: number;
  readonly studio?: { readonly from: string; readonly until: string | null };
};

/** The product that the studio plan includes. */
const STUDIO_PRODUCT = 1;

/**
 * Tells the account service what customers own, out of the team's own data. Everything that follows from it (device
 * limits, update windows, the library) is the service's work and stays as it is.
 */
export class TeamLicenses implements Licenses {
  readonly #customers: readonly Customer[];

  /** The table may change at any time: each call reads it anew. */
  constructor(customers: readonly Customer[]) {
    this.#customers = customers;
  }

  async held(accountId: number): Promise<Holdings> {
    const studio = this.#customers.find(({ id }) => id === accountId)?.studio;
    if (!studio) return { entitlements: [], subscriptions: [] };
    const right: Entitlement = {
      id: 1,
      account_id: accountId,
      product_id: STUDIO_PRODUCT,
      source_product_id: null,
      order_id: null,
      order_item_id: null,
      grant_type: 'subscription',
      source_quantity: 1,
      device_limit: 2,
      granted_at: studio.from,
      revoked_at: null,
      // A right that has ended is told too, so that the customer hears why access is gone.
      access_expires_at: studio.until,
      updates_supported_until: null,
    };
    return { entitlements: [right], subscriptions: [] };
  }
}
