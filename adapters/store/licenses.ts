import type { Permit } from '../../domain/access/permit.ts';
import type { Membership } from '../../domain/accounts/account.ts';
import type { ActionOn } from '../../domain/audit/actions.ts';
import { auditEvent, savedEvent } from '../../domain/audit/event.ts';
import { entitlementUnderRefund, subscriptionUnderRefund } from '../../domain/billing/refund.ts';
import { duePlace } from '../../domain/billing/subscription-due.ts';
import type { Entitlement, Holdings, OwnHoldings, TeamPlace } from '../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../domain/licensing/subscription.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import { licenseEvents, subscriptionEvents } from '../../domain/webhooks/events.ts';
import type { Grants, Licenses } from '../../ports/outbound/licensing.ts';
import { accountKeys } from './keys/accounts.ts';
import { licensingKeys, type Moved, type StoredSubscription } from './keys/licensing.ts';
import { type ListedSubscription, sumKeys } from './keys/sums.ts';
import { saveUnderRefund } from './owned-records.ts';
import { allItems, allRecords, itemOf, type SaveEffect } from './records.ts';
import { Audited } from './repository.ts';
import type { Item } from './table.ts';
import type { KeyOf, TypedTable, TypedWrite } from './typed-table.ts';

/** The default values of fields that an older subscription lacks. */
export const BEFORE_BILLING = { cancelled_at: null, grace_days: 0, apps: null, billing: null };

export const wholeSubscription = (stored: StoredSubscription): Subscription => ({ ...BEFORE_BILLING, ...stored });

/** The key of a subscription in the shop's list; undefined if it has no place there. */
export const dueKey = (stored: StoredSubscription): KeyOf<ListedSubscription> | undefined => {
  const place = duePlace(wholeSubscription(stored));
  return place ? sumKeys.due(place, stored) : undefined;
};

/** The writes by which the shop's list of subscriptions follows a subscription that is stored or moved. */
export const dueWrites = (before: StoredSubscription | undefined, after: StoredSubscription): TypedWrite[] => {
  const [from, to] = [before && dueKey(before), dueKey(after)];
  return [
    ...(from && from.sk !== to?.sk ? [{ remove: from }] : []),
    ...(to ? [{ put: itemOf(to, { account_id: after.account_id, id: after.id }) }] : []),
  ];
};

/**
 * A transferred entitlement, at the account that holds it; undefined if that account was erased. A transfer or a merge
 * meanwhile is followed.
 */
export const holderOf = async (table: TypedTable, moved: Item<Moved>): Promise<Item<Entitlement> | undefined> => {
  const { account_id, product_id, id } = moved.data;
  for (let at: number | undefined = account_id; at !== undefined; ) {
    const held: Item<Entitlement> | undefined = await table.get(licensingKeys.entitlement(at, product_id, id));
    if (held) return held;
    at = (await table.get(accountKeys.erasure(at)))?.data.merged_into;
  }
  const again = await table.get(moved as KeyOf<Moved>);
  return again && again.version !== moved.version ? holderOf(table, again) : undefined;
};

/** The entitlements that an account's order gave, and the ids of those whose holder was erased. */
export const givenBy = async (table: TypedTable, account_id: number, order_id: number) => {
  const all = await Array.fromAsync(allItems(table, licensingKeys.entitlements(account_id)));
  const own = all.filter(({ data }) => data.order_id === order_id);
  // Read second, so that an entitlement that moves meanwhile is found, and conflicts.
  const moved = await Array.fromAsync(allItems(table, licensingKeys.movedOf(order_id)));
  const found = await Promise.all(moved.map((one) => holderOf(table, one)));
  const ids = new Set(own.map(({ data }) => data.id));
  return {
    items: [...own, ...found.flatMap((one) => (one && !ids.has(one.data.id) ? [one] : []))],
    gone: moved.flatMap(({ data: { id } }, n) => (found[n] || ids.has(id) ? [] : [id])),
  };
};

/**
 * Entitlements are stored by account and product, so a query for one product reads no others; subscriptions are stored
 * beside them.
 */
export class StoredLicenses extends Audited implements Licenses, Grants {
  async held(
    account_id: number,
    product_ids?: readonly number[],
    memberships?: readonly Membership[],
  ): Promise<Holdings> {
    const asked = (places: readonly Membership[] = []): readonly Membership[] =>
      places.filter(({ product_id }) => product_ids?.includes(product_id) ?? true);
    const known = memberships && asked(memberships);
    const own = this.#owned(account_id, product_ids);
    if (known?.length === 0) return own;
    const profile = this.table.get(accountKeys.account(account_id));
    const teams = new Map<number, Promise<OwnHoldings>>();
    for (const { account_id: id } of known ?? asked((await profile)?.data.memberships)) {
      teams.set(id, teams.get(id) ?? this.#ofTeam(id, product_ids));
    }
    const [held, account] = await Promise.all([own, profile, ...teams.values()]);
    const places: TeamPlace[] = [];
    for (const place of asked(account?.data.memberships)) {
      const holdings = await teams.get(place.account_id);
      if (holdings) places.push({ ...place, holdings });
    }
    return places.length === 0 ? held : { ...held, places };
  }

  /** The holdings of a team's account; none while it is suspended, or once it is erased. */
  async #ofTeam(account_id: number, product_ids?: readonly number[]): Promise<OwnHoldings> {
    const [held, profile] = await Promise.all([
      this.#owned(account_id, product_ids),
      this.table.get(accountKeys.account(account_id)),
    ]);
    return profile && !profile.data.suspended_at ? held : { entitlements: [], subscriptions: [] };
  }

  async #owned(account_id: number, product_ids?: readonly number[]): Promise<OwnHoldings> {
    const subscribed = allRecords(this.table, licensingKeys.subscriptions(account_id));
    const [entitlements, subscriptions] = await Promise.all([this.#entitled(account_id, product_ids), subscribed]);
    return { entitlements, subscriptions: subscriptions.map(wholeSubscription) };
  }

  #entitled(account_id: number, product_ids: readonly (number | undefined)[] = [undefined]): Promise<Entitlement[]> {
    const found = product_ids.map((id) => allRecords(this.table, licensingKeys.entitlements(account_id, id)));
    const [first, ...more] = found;
    return first && more.length === 0 ? first : Promise.all(found).then((lists) => lists.flat());
  }

  /**
   * Writes the entitlement with its order's refunds applied. One that was transferred is written where it is now, or not
   * at all if its holder was erased.
   */
  async saveEntitlement(permit: Permit, named: Entitlement): Promise<SaveEffect> {
    const origin = named.transferred?.from ?? named.account_id;
    const moved = await this.table.get(licensingKeys.moved(origin, named));
    const holder = moved && moved.data.account_id !== named.account_id ? await holderOf(this.table, moved) : undefined;
    if (moved && !holder && moved.data.account_id !== named.account_id) return 'unchanged';
    const { account_id, transferred } = holder?.data ?? named;
    const entitlement = { ...named, account_id, ...(transferred && { transferred }) };
    const { product_id, id, order_id } = entitlement;
    return saveUnderRefund(this.table, licensingKeys.entitlement(account_id, product_id, id), entitlement, {
      of: { account_id, order_id, isElsewhere: transferred !== undefined },
      under: entitlementUnderRefund,
      trace: async (before, after) => [
        ...(transferred && !moved
          ? [{ put: itemOf(licensingKeys.moved(origin, named), { account_id, product_id, id, from: origin }) }]
          : []),
        this.trail.entry(permit, savedEvent({ kind: 'entitlement', id, account_id, product_id }, before, after)),
        ...(await this.webhookWrites(permit, licenseEvents(before, after))),
      ],
    });
  }

  async reviseEntitlement(
    permit: Permit,
    read: Entitlement,
    after: Entitlement,
    done: ActionOn<'entitlement'>,
  ): Promise<boolean> {
    const { account_id, product_id, id } = after;
    const key = licensingKeys.entitlement(account_id, product_id, id);
    const item = await this.table.get(key);
    if (!item || !isSameJson(item.data, read)) return false;
    const event = auditEvent({ kind: 'entitlement', id, account_id, product_id }, done, read, after);
    return this.table.transact([
      { put: itemOf(key, after), condition: { version: item.version } },
      this.trail.entry(permit, event),
      ...(await this.webhookWrites(permit, licenseEvents(read, after))),
    ]);
  }

  /** Writes the subscription with its order's refunds applied. */
  saveSubscription(permit: Permit, subscription: Subscription): Promise<SaveEffect> {
    const { account_id, id, billing } = subscription;
    return saveUnderRefund(this.table, licensingKeys.subscription(account_id, id), subscription, {
      of: { account_id, order_id: billing?.order_id ?? null },
      under: (stored, order) => subscriptionUnderRefund(wholeSubscription(stored), order),
      trace: async (before, after) => [
        this.trail.entry(permit, savedEvent({ kind: 'subscription', id, account_id }, before, after)),
        ...(await this.webhookWrites(
          permit,
          subscriptionEvents(before && wholeSubscription(before), wholeSubscription(after)),
        )),
        ...dueWrites(before, after),
      ],
    });
  }
}
