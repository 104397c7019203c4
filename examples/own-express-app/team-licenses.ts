import type { Entitlement, Holdings } from 'account-service/domain';
import type { Licenses } from 'account-service/ports';

/** A row of the team's own customer table. */
export type Customer = { readonly id: number; readonly plan: 'free' | 'studio'; readonly paidUntil: string | null };

/** The product that the studio plan includes. */
const STUDIO_PRODUCT = 1;

/**
 * Tells the account service what customers own, out of the team's own data. Everything that follows from it (device
 * limits, update windows, the library) is the service's work and stays as it is.
 */
export class TeamLicenses implements Licenses {
  readonly #customers: ReadonlyMap<number, Customer>;

  constructor(customers: readonly Customer[]) {
    this.#customers = new Map(customers.map((customer) => [customer.id, customer]));
  }

  async held(accountId: number): Promise<Holdings> {
    const customer = this.#customers.get(accountId);
    if (customer?.plan !== 'studio') return { entitlements: [], subscriptions: [] };
    const studio: Entitlement = {
      id: 1,
      account_id: accountId,
      product_id: STUDIO_PRODUCT,
      source_product_id: null,
      order_id: null,
      order_item_id: null,
      grant_type: 'subscription',
      source_quantity: 1,
      device_limit: 2,
      granted_at: '2025-01-01T00:00:00.000Z',
      revoked_at: null,
      access_expires_at: customer.paidUntil,
      updates_supported_until: null,
    };
    return { entitlements: [studio], subscriptions: [] };
  }
}
