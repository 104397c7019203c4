import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent, savedEvent } from '../../domain/audit/event.ts';
import type { Order } from '../../domain/billing/order.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import { accountOfSale, type SaleNames } from '../../domain/sales/decide-sale.ts';
import { NO_ORDER, NO_SUBSCRIPTION } from '../../domain/sales/sale.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import { licenseEvents, saleEvents, subscriptionEvents } from '../../domain/webhooks/events.ts';
import type { ReadSale, Sales } from '../../ports/outbound/sales.ts';
import { billingKeys } from './keys/billing.ts';
import { licensingKeys } from './keys/licensing.ts';
import { saleKeys } from './keys/sales.ts';
import { ownerKey } from './keys/store.ts';
import { BEFORE_BILLING, dueWrites, givenBy } from './licenses.ts';
import { ifUnchanged, itemOf, notErased } from './records.ts';
import { Audited } from './repository.ts';
import type { Item, Key } from './table.ts';
import type { KeyOf, TypedWrite } from './typed-table.ts';

const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/** Stores a sale in one item for the payment and one for the subscription, beside the records of its account. */
export class StoredSales extends Audited implements Sales {
  async read(provider: string, named: SaleNames): Promise<ReadSale> {
    const ofOrder = async (reference: string | null) =>
      reference === null ? undefined : this.table.get(saleKeys.order(provider, reference));
    const ofSubscription = async (reference: string | null) =>
      reference === null ? undefined : this.table.get(saleKeys.subscription(provider, reference));
    const [first, second] = await Promise.all([ofOrder(named.order), ofSubscription(named.subscription)]);
    const names = {
      order: named.order ?? second?.data.begun_by ?? null,
      subscription: named.subscription ?? first?.data.order?.facts.subscription?.reference ?? null,
    };
    const order = first ?? (await ofOrder(names.order));
    const subscription = second ?? (await ofSubscription(names.subscription));
    const begun_by = subscription?.data.begun_by ?? null;
    const beginning = begun_by === names.order ? order : await ofOrder(begun_by);
    const [made, subscribed] = [order?.data.made ?? undefined, subscription?.data.made ?? undefined];
    const [billed, given, held] = await Promise.all([
      made && this.table.get(billingKeys.order(made.account_id, made.order_id)),
      made && givenBy(this.table, made.account_id, made.order_id),
      subscribed && this.table.get(licensingKeys.subscription(subscribed.account_id, subscribed.subscription_id)),
    ]);
    const { items: own, gone } = given ?? { items: [], gone: [] };
    const items: (Item | undefined)[] = [order, subscription, billed, held, ...own];
    return {
      names,
      order: order?.data ?? NO_ORDER,
      subscription: subscription?.data ?? NO_SUBSCRIPTION,
      beginning: beginning?.data ?? NO_ORDER,
      records: {
        order: billed?.data,
        entitlements: own.map(({ data }) => data),
        subscription: held && { ...BEFORE_BILLING, ...held.data },
      },
      gone,
      versions: new Map(items.flatMap((item) => (item ? [[nameOf(item), item.version] as const] : []))),
    };
  }

  async write(
    permit: Permit,
    provider: string,
    { names, records: before, versions, gone, erased, ...read }: ReadSale,
    { records, ...after }: Pick<ReadSale, 'order' | 'subscription' | 'records'>,
    messages: NewMessages,
  ): Promise<boolean> {
    const put = <T extends object>(key: KeyOf<T>, data: NoInfer<T>): TypedWrite => ({
      put: itemOf(key, data),
      condition: ifUnchanged(versions.get(nameOf(key)) ?? null),
    });
    // A decision about a payment requires its subscription to be unchanged since the read.
    const unchanged = (key: Key): TypedWrite[] => {
      const version = versions.get(nameOf(key));
      return version === undefined ? [] : [{ check: key, condition: { version } }];
    };
    const account_id = accountOfSale(after);
    const { order, subscription } = records;
    const granted = records.entitlements
      .filter(({ id }) => !gone.includes(id))
      .map((after) => [before.entitlements.find(({ id }) => id === after.id), after] as const);
    const events = [
      ...(order && !isSameJson(order, before.order) ? saleEvents(before.order, order) : []),
      ...granted.flatMap((pair) => (isSameJson(...pair) ? [] : licenseEvents(...pair))),
      ...(subscription && !isSameJson(subscription, before.subscription)
        ? subscriptionEvents(before.subscription, subscription)
        : []),
    ];
    const writes: TypedWrite[] = [
      ...(names.order !== null && !isSameJson(after.order, read.order)
        ? [put(saleKeys.order(provider, names.order), after.order)]
        : []),
      ...(names.subscription !== null && !isSameJson(after.subscription, read.subscription)
        ? [put(saleKeys.subscription(provider, names.subscription), after.subscription)]
        : unchanged(saleKeys.subscription(provider, names.subscription ?? ''))),
      ...(order && !isSameJson(order, before.order)
        ? [
            ...this.#orderWrites(permit, before.order, order, put),
            ...(await this.orderCounts.writes(before.order, order)),
          ]
        : []),
      ...granted.flatMap(([stored, entitlement]) => {
        const { id, account_id: owner, product_id } = entitlement;
        if (isSameJson(stored, entitlement)) return [];
        const subject = { kind: 'entitlement', id, account_id: owner, product_id } as const;
        const isRevoked = stored && stored.revoked_at === null && entitlement.revoked_at !== null;
        const event = isRevoked
          ? auditEvent(subject, 'revoked', stored, entitlement)
          : savedEvent(subject, stored, entitlement);
        return [put(licensingKeys.entitlement(owner, product_id, id), entitlement), this.trail.entry(permit, event)];
      }),
      ...(subscription && !isSameJson(subscription, before.subscription)
        ? [
            put(licensingKeys.subscription(subscription.account_id, subscription.id), subscription),
            this.trail.entry(
              permit,
              savedEvent(
                { kind: 'subscription', id: subscription.id, account_id: subscription.account_id },
                before.subscription,
                subscription,
              ),
            ),
            ...dueWrites(before.subscription, subscription),
          ]
        : []),
      ...(account_id === undefined || erased ? [] : [notErased(account_id)]),
      ...(await this.webhookWrites(permit, events)),
      ...this.messageWrites(permit, messages),
    ];
    return this.table.transact(writes);
  }

  /** A new order claims its id and its number, which are unique among orders. */
  #orderWrites(
    permit: Permit,
    before: Order | undefined,
    order: Order,
    put: <T extends object>(key: KeyOf<T>, data: NoInfer<T>) => TypedWrite,
  ): TypedWrite[] {
    const { id, account_id, number, refunds } = order;
    const subject = { kind: 'order', id, account_id } as const;
    const isRefund = !!before && !isSameJson(before.refunds, refunds) && /refunded$/.test(order.status);
    const owned = [ownerKey({ kind: 'order', id }), ownerKey({ kind: 'order', number })];
    return [
      put(billingKeys.order(account_id, id), order),
      this.trail.entry(
        permit,
        isRefund ? auditEvent(subject, 'refunded', before, order) : savedEvent(subject, before, order),
      ),
      ...(before
        ? []
        : owned.map((key) => ({ put: itemOf(key, { account_id, id }), condition: { absent: true } as const }))),
    ];
  }
}
