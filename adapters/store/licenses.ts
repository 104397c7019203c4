import type { Entitlement, Holdings } from '../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../domain/licensing/subscription.ts';
import type { Grants, Licenses } from '../../ports/outbound/licenses.ts';
import { keys } from './keys.ts';
import { allRecords, saveRecord } from './records.ts';
import type { Table } from './table.ts';

/** What subscriptions have that were kept before there were grace periods, plans for apps and bills. */
const BEFORE_BILLING = { cancelled_at: null, grace_days: 0, apps: null, billing: null };

/** Entitlements by account and product, so that asking for one product reads no others, and subscriptions beside them. */
export class StoredLicenses implements Licenses, Grants {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async held(accountId: number, productIds?: readonly number[]): Promise<Holdings> {
    const subscribed = allRecords<Subscription>(this.#table, keys.subscriptions(accountId));
    const [entitlements, subscriptions] = await Promise.all([this.#entitled(accountId, productIds), subscribed]);
    return { entitlements, subscriptions: subscriptions.map((stored) => ({ ...BEFORE_BILLING, ...stored })) };
  }

  async #entitled(accountId: number, productIds?: readonly number[]): Promise<Entitlement[]> {
    if (productIds === undefined) return allRecords(this.#table, keys.entitlements(accountId));
    const found = productIds.map((id) => allRecords<Entitlement>(this.#table, keys.entitlements(accountId, id)));
    return found.length === 1 ? (found[0] as Promise<Entitlement[]>) : (await Promise.all(found)).flat();
  }

  saveEntitlement(entitlement: Entitlement): Promise<'created' | 'updated' | 'unchanged'> {
    const { account_id, product_id, id } = entitlement;
    return saveRecord(this.#table, { ...keys.entitlement(account_id, product_id, id), data: entitlement });
  }

  saveSubscription(subscription: Subscription): Promise<'created' | 'updated' | 'unchanged'> {
    return saveRecord(this.#table, {
      ...keys.subscription(subscription.account_id, subscription.id),
      data: subscription,
    });
  }
}
