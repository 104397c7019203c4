import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent, type Subject, savedEvent } from '../../domain/audit/event.ts';
import type { OrderItem } from '../../domain/billing/order.ts';
import type { TransferOffer } from '../../domain/licensing/transfer.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { NewWebhookEvent } from '../../domain/webhooks/delivery.ts';
import { licenseEvents } from '../../domain/webhooks/events.ts';
import type { Transfer, Transfers } from '../../ports/outbound/transfers.ts';
import { moveDevices } from './devices.ts';
import { dependentKeys } from './erasure-sweep.ts';
import { expiryAt } from './expiry.ts';
import { accessKeys } from './keys/access.ts';
import { billingKeys } from './keys/billing.ts';
import { licensingKeys, type Moved } from './keys/licensing.ts';
import { allRecords, ifUnchanged, itemOf, notErased } from './records.ts';
import { Audited } from './repository.ts';
import type { TypedWrite } from './typed-table.ts';

/** One transaction moves the entitlements and license keys. The devices follow, each with its slot. */
export class StoredTransfers extends Audited implements Transfers {
  async move(permit: Permit, transfer: Transfer): Promise<boolean> {
    const { from, into, at, entitlements, keys, devices_of, accepted, messages } = transfer;
    const writes: TypedWrite[] = [notErased(from), notErased(into)];
    const events: NewWebhookEvent[] = [];
    const offers = await this.offers(from);
    if (accepted && !offers.some((one) => isSameJson(one, accepted))) return false;
    for (const read of entitlements) {
      const { id, product_id } = read;
      const key = licensingKeys.entitlement(from, product_id, id);
      const item = await this.table.get(key);
      if (!item || !isSameJson(item.data, read)) return false;
      const origin = read.transferred?.from ?? from;
      const offered = offers.find((one) => one.from === from && one.entitlement_id === id);
      const after = { ...read, account_id: into, transferred: { at, from: origin } };
      const moved: Moved = { account_id: into, product_id, id, from, ...(read === entitlements[0] && { devices_of }) };
      const subject = { kind: 'entitlement', id, account_id: from, product_id } as const;
      writes.push(
        { remove: key, condition: { version: item.version } },
        { put: itemOf(licensingKeys.entitlement(into, product_id, id), after), condition: { absent: true } },
        { put: itemOf(licensingKeys.moved(origin, read), moved) },
        ...(offered ? offerEnds(offered) : []),
        this.trail.entry(permit, auditEvent(subject, 'transferred', undefined, { into })),
      );
      events.push(...licenseEvents(read, { ...read, revoked_at: at }), ...licenseEvents(undefined, after));
    }
    for (const { mine, theirs } of keys) {
      const moves = mine.keys.filter(({ kind, revoked_at }) => kind === 'license' && revoked_at === null);
      if (moves.length === 0) continue;
      const of = (account_id: number, all: readonly ApiKey[]) => {
        const { product_id } = mine;
        return itemOf(accessKeys.keysOfScope(account_id, product_id), { account_id, product_id, keys: all });
      };
      const rest = mine.keys.filter((key) => !moves.includes(key));
      const moved = moves.map((key) => ({ ...key, account_id: into }));
      const items = await Promise.all(
        dependentKeys({ sk: '', data: { keys: moves } }).map((one) => this.table.get(one)),
      );
      writes.push(
        { put: of(from, rest), condition: ifUnchanged(mine.version) },
        { put: of(into, [...theirs.keys, ...moved]), condition: ifUnchanged(theirs.version) },
        ...items.flatMap((item): TypedWrite[] => {
          if (!item) return [];
          const { version, ...rest } = item;
          return [{ put: { ...rest, data: { ...rest.data, account_id: into } }, condition: { version } }];
        }),
        ...moves.map((key) => ({ remove: accessKeys.use(from, key.id) })),
      );
    }
    return this.table.transact([
      ...writes,
      ...(await this.#givenAway(permit, transfer)),
      ...(await this.webhookWrites(permit, events)),
      ...this.messageWrites(permit, messages),
    ]);
  }

  async follow(_permit: Permit, { from, into, entitlement }: Parameters<Transfers['follow']>[1]): Promise<boolean> {
    const key = licensingKeys.moved(entitlement.transferred?.from ?? from, entitlement);
    const moved = await this.table.get(key);
    if (moved?.data.from !== from || moved.data.account_id !== into) return false;
    const { devices_of = [], ...done } = moved.data;
    for (const product_id of devices_of) await moveDevices(this.table, from, into, product_id);
    if (devices_of.length > 0) await this.table.put(itemOf(key, done), { version: moved.version });
    return true;
  }

  async offers(account_id: number): Promise<TransferOffer[]> {
    return allRecords(this.table, licensingKeys.offers(account_id));
  }

  offer(permit: Permit, offer: TransferOffer, messages: NewMessages): Promise<boolean> {
    const { from, into, expires_at } = offer;
    return this.table.transact([
      notErased(from),
      notErased(into),
      ...[from, into].map((account_id) => ({
        put: itemOf(licensingKeys.offer(account_id, offer), offer, expiryAt(expires_at)),
      })),
      this.trail.entry(permit, auditEvent(subjectOf(offer), 'offered', undefined, { into })),
      ...this.messageWrites(permit, messages),
    ]);
  }

  async cancel(permit: Permit, offer: TransferOffer): Promise<void> {
    await this.table.transact([
      ...offerEnds(offer),
      this.trail.entry(permit, auditEvent(subjectOf(offer), 'offer_canceled', undefined, { into: offer.into })),
    ]);
  }

  /** The items of the orders count as used: the buyer can't withdraw from what somebody else has. */
  async #givenAway(permit: Permit, { from, at, entitlements }: Transfer): Promise<TypedWrite[]> {
    const ids = new Set(entitlements.flatMap(({ order_id }) => order_id ?? []));
    const orders = await Promise.all([...ids].map((id) => this.table.get(billingKeys.order(from, id))));
    return orders.flatMap((order): TypedWrite[] => {
      if (!order) return [];
      const { id, items } = order.data;
      const given = entitlements.filter(({ order_id }) => order_id === id).map(({ order_item_id }) => order_item_id);
      const isGiven = (item: OrderItem) => item.first_used_at === null && given.includes(item.id);
      if (!items.some(isGiven)) return [];
      const after = {
        ...order.data,
        items: items.map((item) => (isGiven(item) ? { ...item, first_used_at: at } : item)),
      };
      return [
        { put: itemOf(billingKeys.order(from, id), after), condition: { version: order.version } },
        this.trail.entry(permit, savedEvent({ kind: 'order', id, account_id: from }, order.data, after)),
      ];
    });
  }
}

const subjectOf = ({ from, entitlement_id, product_id }: TransferOffer): Subject => ({
  kind: 'entitlement',
  id: entitlement_id,
  account_id: from,
  product_id,
});

const offerEnds = (offer: TransferOffer): TypedWrite[] =>
  [offer.from, offer.into].map((account_id) => ({ remove: licensingKeys.offer(account_id, offer) }));
