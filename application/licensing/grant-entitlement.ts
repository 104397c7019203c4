import type { Entitlement } from '../../domain/licensing/entitlement.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Ids } from '../../ports/outbound/ids.ts';
import type { Grants } from '../../ports/outbound/licenses.ts';

type Ports = { accounts: Accounts; catalogs: Catalogs; grants: Grants; ids: Ids; clock: Clock };

export type GrantWish = {
  account_id: number;
  product_id: number;
  device_limit: number | null;
  access_expires_at: Instant | null;
  updates_supported_until: Instant | null;
};

/** Gives an account a right to a product outside any order. */
export class GrantEntitlement {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(wish: GrantWish): Promise<Outcome<Entitlement, 'account_not_found' | 'product_not_found'>> {
    const { accounts, catalogs, grants, ids, clock } = this.#ports;
    const [account, catalog] = await Promise.all([accounts.get(wish.account_id), catalogs.current()]);
    if (!account) return refuse('account_not_found', { message: `There is no account ${wish.account_id}.` });
    if (!catalog.products.has(wish.product_id)) {
      return refuse('product_not_found', { message: `There is no product ${wish.product_id}.` });
    }
    const entitlement: Entitlement = {
      id: ids.next(),
      ...wish,
      source_product_id: null,
      order_id: null,
      order_item_id: null,
      grant_type: 'grant',
      source_quantity: 1,
      granted_at: clock.now(),
      revoked_at: null,
    };
    await grants.saveEntitlement(entitlement);
    return ok(entitlement);
  }
}
