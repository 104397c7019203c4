import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { entitlementUnderRefund, subscriptionUnderRefund, withKeptRefunds } from '../../domain/billing/refund.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { revokedEntitlement } from '../../domain/licensing/grant-change.ts';
import { type OrderSale, orderAfter, type SubscriptionSale, subscriptionAfter } from '../../domain/sales/sale.ts';
import type { Buyer, SaleEvent } from '../../domain/sales/sale-event.ts';
import {
  entitlementNames,
  entitlementsOf,
  judgeOrder,
  orderOf,
  refundsOf,
  revised,
  type Sold,
  soldBy,
  subscriptionOf,
} from '../../domain/sales/sale-records.ts';
import { isLocale } from '../../domain/shared/locale.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadSale, SaleNames, SaleRecords } from '../../ports/outbound/sales.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

export type Ports = Needs<'accounts' | 'catalogs' | 'clock' | 'ids' | 'pauses' | 'sales'>;

export type RecordedSale = {
  readonly result: 'recorded' | 'updated' | 'unchanged';
  /** Null for a refund whose order is still to come. */
  readonly account_id: number | null;
  readonly order_id: number | null;
  readonly subscription_id: number | null;
};

export type Refusal =
  | 'account_erased'
  | 'amounts_contradict'
  | 'currency_unknown'
  | 'email_invalid'
  | 'product_not_found'
  | 'too_many_lines';

const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/;

const namesOf = ({ facts }: SaleEvent): SaleNames => {
  if (facts.kind === 'order') return { order: facts.reference, subscription: facts.subscription?.reference ?? null };
  if (facts.kind === 'refund') return { order: facts.order_reference, subscription: null };
  return { order: null, subscription: facts.reference };
};

/** What each thing of a list stands for, or the refusal of the first that stands for nothing. */
const allSold = (
  provider: string,
  things: readonly Parameters<typeof soldBy>[1][],
  products: readonly Product[],
): Outcome<Sold[], 'product_not_found'> => {
  const found: Sold[] = [];
  for (const thing of things) {
    const sold = soldBy(provider, thing, products);
    if (!sold.ok) return sold;
    found.push(sold.value);
  }
  return ok(found);
};

/** The order, its entitlements and the subscription, as the refunds of the order leave them. */
const underRefunds = ({ order, entitlements, subscription }: SaleRecords, sale: OrderSale): SaleRecords => {
  if (!order || !sale.order) return { order, entitlements, subscription };
  const refunds = refundsOf(sale, sale.order.facts);
  const kept = withKeptRefunds({ ...order, ...(refunds.length > 0 && { refunds }) }, order);
  return {
    order: kept,
    entitlements: entitlements.map((one) => entitlementUnderRefund(one, kept)),
    subscription: subscription && subscriptionUnderRefund(subscription, kept),
  };
};

/**
 * Records what a payment provider tells of a sale: a payment with what it gives, the state of a subscription, or a
 * refund. Events may come twice, together, and in any order: the newest facts count, each refund counts once, and a
 * refund waits for its order. The account is found by the buyer's address, or opened. One transaction writes all of it.
 */
export const recordSale = ({ accounts, catalogs, clock, ids, pauses, sales }: Ports) => {
  /** The account with the address. Of several that open it at once, one does, and the others find it. */
  const accountOf = async (permit: Permit, buyer: Buyer): Promise<Outcome<number, Refusal>> => {
    const { email, name } = buyer;
    if (!EMAIL.test(email) || email.length > 254) {
      return refuse('email_invalid', {
        message: 'The sale names no e-mail address of its buyer, so it has no account.',
      });
    }
    const found = await accounts.findByEmail(email);
    if (found) return ok(found.id);
    const locale = buyer.locale?.slice(0, 2).toLowerCase() ?? '';
    const made = { id: ids.next(), email, name, created_at: clock.now(), password_hash: null };
    const account: Account = { ...made, ...(isLocale(locale) && { locale }) };
    return (await accounts.save(permit, account)) === 'email_taken' ? accountOf(permit, buyer) : ok(account.id);
  };

  /** The sale with the ids that its records need, of which those that it has stay. */
  const withIds = (sale: OrderSale, account_id: number, sold: readonly Sold[]): OrderSale => {
    if (!sale.order) return sale;
    const made = sale.made ?? { account_id, order_id: ids.next() };
    const wanted = entitlementNames(sale.order.facts, sold).filter((name) => sale.entitlements[name] === undefined);
    const entitlements = { ...sale.entitlements, ...Object.fromEntries(wanted.map((name) => [name, ids.next()])) };
    return { ...sale, made, entitlements };
  };

  const orderRecords = (
    read: ReadSale,
    sale: OrderSale,
    sold: readonly Sold[],
  ): Pick<SaleRecords, 'order' | 'entitlements'> => {
    const { order: known, made } = sale;
    if (!known || !made) return read.records;
    const before = read.order.order ? orderOf(read.order.order.facts, sold, made) : undefined;
    const given = entitlementsOf(known.facts, sold, sale);
    const stored = new Map(read.records.entitlements.map((one) => [one.id, one]));
    const gone = read.records.entitlements.filter(({ id }) => !given.some((one) => one.id === id));
    return {
      order: revised(read.records.order, before, orderOf(known.facts, sold, made)),
      entitlements: [
        ...given.map((one) => {
          const kept = stored.get(one.id);
          return kept ? { ...kept, source_quantity: one.source_quantity } : one;
        }),
        ...gone.map((one) => revokedEntitlement(one, known.at)),
      ],
    };
  };

  const subscriptionRecord = (
    read: ReadSale,
    sale: SubscriptionSale,
    order: SaleRecords['order'],
    sold: readonly Sold[],
  ): SaleRecords['subscription'] => {
    const { subscription: known, made, begun_by } = sale;
    if (!known || !made) return read.records.subscription;
    const own = { account_id: made.account_id, id: made.subscription_id };
    const begin = begun_by === read.names.order ? (order ?? null) : null;
    const former = read.subscription.subscription;
    const beganBefore = read.subscription.begun_by === read.names.order ? (read.records.order ?? null) : null;
    const before =
      former && read.records.subscription && subscriptionOf(former.facts, sold, own, beganBefore, former.at);
    return revised(
      read.records.subscription,
      before ?? undefined,
      subscriptionOf(known.facts, sold, own, begin, known.at),
    );
  };

  const decide = async (
    permit: Permit,
    event: SaleEvent,
    read: ReadSale,
  ): Promise<Outcome<Pick<ReadSale, 'order' | 'subscription' | 'records'>, Refusal>> => {
    const { facts, provider } = event;
    let order = orderAfter(read.order, event);
    let subscription = subscriptionAfter(read.subscription, event);
    if (order === read.order && subscription === read.subscription) return ok(read);
    if (facts.kind === 'refund') return ok({ order, subscription, records: underRefunds(read.records, order) });
    const products = [...(await catalogs.current()).products.values()];
    const [lines, things] = [order.order?.facts.lines ?? [], subscription.subscription?.facts.things ?? []];
    const [ofOrder, ofSubscription] = [allSold(provider, lines, products), allSold(provider, things, products)];
    if (!ofOrder.ok) return ofOrder;
    if (!ofSubscription.ok) return ofSubscription;
    const judged = order.order ? judgeOrder(order.order.facts, ofOrder.value) : ok(null);
    if (!judged.ok) return judged;
    const known = read.order.made?.account_id ?? read.subscription.made?.account_id;
    const account = known === undefined ? await accountOf(permit, facts.buyer) : ok(known);
    if (!account.ok) return account;
    if (await accounts.erasure(account.value)) {
      return refuse('account_erased', { message: `The account of this sale was erased, so nothing is kept of it.` });
    }
    order = withIds(order, account.value, ofOrder.value);
    if (subscription.subscription && !subscription.made) {
      subscription = { ...subscription, made: { account_id: account.value, subscription_id: ids.next() } };
    }
    const made = orderRecords(read, order, ofOrder.value);
    const held = subscriptionRecord(read, subscription, made.order, ofSubscription.value);
    return ok({ order, subscription, records: underRefunds({ ...made, subscription: held }, order) });
  };

  return async (permit: Permit, event: SaleEvent): Promise<Outcome<RecordedSale, Refusal>> =>
    untilWritten(pauses, async () => {
      const read = await sales.read(event.provider, namesOf(event));
      const decided = await decide(permit, event, read);
      if (!decided.ok) return decided;
      const after = decided.value;
      const { made } = after.order;
      const told = {
        account_id: made?.account_id ?? after.subscription.made?.account_id ?? null,
        order_id: made?.order_id ?? null,
        subscription_id: after.subscription.made?.subscription_id ?? null,
      };
      if (after === read) return ok({ result: 'unchanged', ...told });
      if (!(await sales.write(permit, event.provider, read, after))) return CONFLICT;
      const isNew = read.records.order === undefined && read.records.subscription === undefined;
      return ok({ result: isNew ? 'recorded' : 'updated', ...told });
    });
};

export type RecordSale = ReturnType<typeof recordSale>;
