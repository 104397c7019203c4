import type { Licenses } from 'account-service/ports';
import type { Entitlement, Holdings } from 'account-service/rules';

/** A row of the team's own customer table. The dates stay there after a customer has left the studio plan. */
export type Customer = {
  readonly id: number;
  readonly studio?: { readonly from: string; readonly until: string | null };
};

/** The product that the studio plan includes. */
const STUDIO_PRODUCT = 1;

/** The studio plan of the team's own customers, next to the grants of the account service. */
export class TeamLicenses implements Licenses {
  readonly #customers: readonly Customer[];
  readonly #granted: (accountId: number) => Promise<Holdings>;

  /** Each call reads the customers anew. */
  constructor(customers: readonly Customer[], granted: (accountId: number) => Promise<Holdings>) {
    this.#customers = customers;
    this.#granted = granted;
  }

  async held(accountId: number): Promise<Holdings> {
    const { entitlements, subscriptions } = await this.#granted(accountId);
    const studio = this.#customers.find(({ id }) => id === accountId)?.studio;
    if (!studio) return { entitlements, subscriptions };
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
      // A plan that has ended stays in the answer, so that the customer hears why access is gone.
      access_expires_at: studio.until,
      updates_supported_until: null,
    };
    return { entitlements: [right, ...entitlements], subscriptions };
  }
}
