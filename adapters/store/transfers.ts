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
import { AccountMove } from './account-move.ts';
import { dependentKeys } from './erasure-sweep.ts';
import { expiryAt } from './expiry.ts';
import { accessKeys } from './keys/access.ts';
import { billingKeys } from './keys/billing.ts';
import { licensingKeys, type Moved } from './keys/licensing.ts';
import { holderOf } from './licenses.ts';
import { allRecords, ifUnchanged, itemOf, notErased } from './records.ts';
import { Audited } from './repository.ts';
import type { TypedWrite } from './typed-table.ts';

/** One transaction moves the entitlements and license keys. The devices and sessions follow, one by one. */
export class StoredTransfers extends Audited implements Transfers {
  async move(permit: Permit, transfer: Transfer): Promise<boolean> {
    const { from, into, at, entitlements, keys, devices_of, accepted, messages } = transfer;
    const writes: TypedWrite[] = [notErased(from), notErased(into)];
    const events: NewWebhookEvent[] = [];
    for (const read of entitlements) {
      const { id, product_id } = read;
      // Devices that an interrupted transfer left behind would be lost with its pointer.
      if (read.transferred) await this.follow(permit, { into: from, entitlement: read });
      const [item, offer] = await Promise.all([
        this.table.get(licensingKeys.entitlement(from, product_id, id)),
        this.table.get(licensingKeys.offer(from, { from, entitlement_id: id })),
      ]);
      const isOffered = accepted?.entitlement_id !== id || isSameJson(offer?.data, accepted);
      if (!item || !isSameJson(item.data, read) || !isOffered) return false;
      const origin = read.transferred?.from ?? from;
      const after = { ...read, account_id: into, transferred: { at, from: origin } };
      const moved: Moved = { account_id: into, product_id, id, from, ...(read === entitlements[0] && { devices_of }) };
      const subject = { kind: 'entitlement', id, account_id: from, product_id } as const;
      writes.push(
        { remove: item, condition: { version: item.version } },
        { put: itemOf(licensingKeys.entitlement(into, product_id, id), after), condition: { absent: true } },
        { put: itemOf(licensingKeys.moved(origin, read), moved) },
        ...(offer ? offerEnds(offer.data, offer.version) : []),
        this.trail.entry(permit, auditEvent(subject, 'transferred', undefined, { into })),
      );
      events.push(...licenseEvents(read, { ...read, revoked_at: at }), ...licenseEvents(undefined, after));
    }
    return this.table.transact([
      ...writes,
      ...(await this.#keys(into, keys)),
      ...(await this.#givenAway(permit, transfer)),
      ...(await this.webhookWrites(permit, events)),
      ...this.messageWrites(permit, messages),
    ]);
  }

  /** The writes that move the live license keys, with their values if the shop keeps them. */
  async #keys(into: number, scopes: Transfer['keys']): Promise<TypedWrite[]> {
    const writes: TypedWrite[] = [];
    for (const { mine, theirs } of scopes) {
      const { account_id: from, product_id } = mine;
      const moves = mine.keys.filter(({ kind, revoked_at }) => kind === 'license' && revoked_at === null);
      if (moves.length === 0) continue;
      const ring = (account_id: number, keys: readonly ApiKey[]) =>
        itemOf(accessKeys.keysOfScope(account_id, product_id), { account_id, product_id, keys });
      const rest = mine.keys.filter((key) => !moves.includes(key));
      const moved = moves.map((key) => ({ ...key, account_id: into }));
      writes.push(
        { put: ring(from, rest), condition: ifUnchanged(mine.version) },
        { put: ring(into, [...theirs.keys, ...moved]), condition: ifUnchanged(theirs.version) },
      );
      for (const key of dependentKeys({ sk: '', data: { keys: moves } })) {
        const item = await this.table.get(key);
        if (!item) continue;
        const { version, ...rest } = item;
        writes.push({ put: { ...rest, data: { ...rest.data, account_id: into } }, condition: { version } });
      }
      for (const { id } of moves) {
        const sealed = await this.table.get(accessKeys.keyValue(from, id));
        writes.push({ remove: accessKeys.use(from, id) });
        if (sealed) writes.push({ remove: sealed }, { put: itemOf(accessKeys.keyValue(into, id), sealed.data) });
      }
    }
    return writes;
  }

  async follow(_permit: Permit, { into, entitlement, giver }: Parameters<Transfers['follow']>[1]): Promise<boolean> {
    const key = licensingKeys.moved(entitlement.transferred?.from ?? entitlement.account_id, entitlement);
    const moved = await this.table.get(key);
    if (moved?.data.account_id !== into || (giver ?? moved.data.from) !== moved.data.from) return false;
    const { devices_of = [], ...done } = moved.data;
    const devices = new AccountMove({ table: this.table, orderCounts: this.orderCounts }, done.from, into);
    for (const product_id of devices_of) await devices.ofProduct(product_id);
    if (devices_of.length > 0) await this.table.put(itemOf(key, done), { version: moved.version });
    return true;
  }

  async holder(account_id: number, id: number): Promise<number | undefined> {
    const moved = await this.table.get(licensingKeys.moved(account_id, { order_id: null, id }));
    return moved && (await holderOf(this.table, moved))?.data.account_id;
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

  async cancel(permit: Permit, offer: TransferOffer): Promise<boolean> {
    const sent = await this.table.get(licensingKeys.offer(offer.from, offer));
    if (!sent || !isSameJson(sent.data, offer)) return false;
    return this.table.transact([
      ...offerEnds(offer, sent.version),
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
      const used = items.map((item) => (isGiven(item) ? { ...item, first_used_at: at } : item));
      const after = { ...order.data, items: used };
      return [
        { put: itemOf(billingKeys.order(from, id), after), condition: { version: order.version } },
        this.trail.entry(permit, savedEvent({ kind: 'order', id, account_id: from }, order.data, after)),
      ];
    });
  }
}

const subjectOf = ({ from, entitlement_id: id, product_id }: TransferOffer): Subject => ({
  ...{ kind: 'entitlement', id, account_id: from, product_id },
});

/** The sender's copy decides, so it ends only if it is unchanged. */
const offerEnds = (offer: TransferOffer, version: string): TypedWrite[] => [
  { remove: licensingKeys.offer(offer.from, offer), condition: { version } },
  { remove: licensingKeys.offer(offer.into, offer) },
];
