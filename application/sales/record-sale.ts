import type { Permit } from '../../domain/access/permit.ts';
import { orderMessages } from '../../domain/mail/message.ts';
import { judgeSale, type SaleFault } from '../../domain/sales/judge-sale.ts';
import { type OrderSale, orderAfter, type SubscriptionSale, subscriptionAfter } from '../../domain/sales/sale.ts';
import type { SaleEvent } from '../../domain/sales/sale-event.ts';
import {
  entitlementNames,
  judgeSize,
  orderNumber,
  revisedRecords,
  saleRecordsOf,
  sellingOf,
  soldBefore,
} from '../../domain/sales/sale-records.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadSale, SaleNames } from '../../ports/outbound/sales.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { findBuyer } from './find-buyer.ts';

export type Ports = Needs<'accounts' | 'catalogs' | 'clock' | 'ids' | 'pauses' | 'sales'>;

export type RecordedSale = {
  readonly result: 'recorded' | 'updated' | 'unchanged';
  /** Null for a refund whose order is still to come. */
  readonly account_id: number | null;
  readonly order_id: number | null;
  readonly subscription_id: number | null;
  /** The unknown things, in a sentence for the operator; the rest of the sale is recorded. */
  readonly reason: string | null;
};

/** `trial` only decides, and writes nothing. `quiet` mails nothing to the buyer. */
export type RecordingWish = { readonly trial?: boolean; readonly quiet?: boolean };

export type Refusal = SaleFault | 'account_erased' | 'email_invalid' | 'product_not_found';

type Decided = {
  readonly after: Pick<ReadSale, 'order' | 'subscription' | 'records'>;
  readonly reason: string | null;
};

const namesOf = ({ facts }: SaleEvent): SaleNames => {
  if (facts.kind === 'order') return { order: facts.reference, subscription: facts.subscription?.reference ?? null };
  if (facts.kind === 'refund') return { order: facts.order_reference, subscription: null };
  return { order: null, subscription: facts.reference };
};

/**
 * Records a sale reported by a payment provider: a payment with what it gives, the state of a subscription, or a
 * refund. Events may arrive twice, concurrently and in any order: the newest facts count, each refund counts once, and
 * a refund waits for its order. The account is found by the buyer's address, or created. One transaction writes
 * everything.
 */
export const recordSale = ({ accounts, catalogs, clock, ids, pauses, sales }: Ports) => {
  const accountOf = findBuyer({ accounts, clock, ids, pauses });

  /** The sale with the ids that its records need, of which those that it has stay. */
  const withIds = (sale: OrderSale, account_id: number): OrderSale => {
    if (!sale.order) return sale;
    const { facts } = sale.order;
    const order_id = sale.made?.order_id ?? ids.next();
    const made = sale.made ?? { account_id, order_id, number: orderNumber(facts, order_id) };
    const wanted = entitlementNames(facts, sale.sold).filter((name) => sale.entitlements[name] === undefined);
    const entitlements = { ...sale.entitlements, ...Object.fromEntries(wanted.map((name) => [name, ids.next()])) };
    return { ...sale, made, entitlements };
  };

  const decide = async (
    permit: Permit,
    event: SaleEvent,
    read: ReadSale,
    trial: boolean,
  ): Promise<Outcome<Decided, Refusal> | typeof CONFLICT> => {
    const { facts, provider, happened_at } = event;
    let order = orderAfter(read.order, event);
    let subscription = subscriptionAfter(read.subscription, event);
    let reason: string | null = null;
    if (facts.kind !== 'refund') {
      // The terms are those at the time of the sale; a later price list doesn't change it.
      const isKnown = order.order === read.order.order && subscription.subscription === read.subscription.subscription;
      const { sold: before } = facts.kind === 'order' ? order : subscription;
      const things =
        (facts.kind === 'order' ? order.order?.facts.lines : subscription.subscription?.facts.things) ?? [];
      const products = [...(await catalogs.current()).products.values()];
      const former = soldBefore(
        { things: read.order.order?.facts.lines, sold: read.order.sold },
        { things: read.subscription.subscription?.facts.things, sold: read.subscription.sold },
      );
      const selling = sellingOf(provider, things, products, isKnown ? before : [], former);
      if (!selling.ok) return selling;
      const { sold } = selling.value;
      ({ reason } = selling.value);
      if (facts.kind === 'order' && !isSameJson(sold, before)) order = { ...order, sold };
      if (facts.kind === 'subscription' && !isSameJson(sold, before)) subscription = { ...subscription, sold };
    }
    if (order === read.order && subscription === read.subscription) return ok({ after: read, reason });
    const judged = judgeSize(order);
    if (!judged.ok) return judged;
    const known = read.order.made?.account_id ?? read.subscription.made?.account_id;
    const erasure = known === undefined ? undefined : await accounts.erasure(known);
    // A merge is about to move the sale.
    if (erasure?.merged_into !== undefined) return CONFLICT;
    if (erasure) {
      return refuse('account_erased', { message: 'The account of this sale was erased, so nothing is kept of it.' });
    }
    if (facts.kind !== 'refund') {
      const account = known === undefined ? await accountOf(permit, facts.buyer, trial) : ok(known);
      if (!account.ok) return account;
      order = withIds(order, account.value);
      if (read.names.subscription !== null && !subscription.made) {
        subscription = { ...subscription, made: { account_id: account.value, subscription_id: ids.next() } };
      }
    }
    const beginning = (sale: SubscriptionSale, own: OrderSale): OrderSale =>
      sale.begun_by === read.names.order ? own : read.beginning;
    const before = saleRecordsOf(read.order, read.subscription, beginning(read.subscription, read.order));
    const now = saleRecordsOf(order, subscription, beginning(subscription, order));
    const records = revisedRecords(read.records, before, now, happened_at);
    const source = order.order && {
      provider,
      payment: order.order.facts.reference,
      subscription: order.order.facts.subscription?.reference ?? null,
    };
    const sourced = records.order && source ? { ...records, order: { ...records.order, source } } : records;
    return ok({ after: { order, subscription, records: sourced }, reason });
  };

  return async function recordSale(
    permit: Permit,
    told: SaleEvent,
    { trial = false, quiet = false }: RecordingWish = {},
  ): Promise<Outcome<RecordedSale, Refusal>> {
    const judged = judgeSale(told);
    if (!judged.ok) return judged;
    const event = judged.value;
    const names = namesOf(event);
    return untilWritten(pauses, async () => {
      const read = await sales.read(event.provider, names);
      const decided = await decide(permit, event, read, trial);
      if (decided === CONFLICT || !decided.ok) return decided;
      const { after, reason } = decided.value;
      const { made } = after.order;
      const recorded = {
        reason,
        account_id: made?.account_id ?? after.subscription.made?.account_id ?? null,
        order_id: made?.order_id ?? null,
        subscription_id: after.subscription.made?.subscription_id ?? null,
      };
      if (after === read) return ok({ result: 'unchanged', ...recorded });
      const messages = after.records.order && !quiet ? orderMessages(read.records.order, after.records.order) : [];
      if (!trial && !(await sales.write(permit, event.provider, read, after, messages))) return CONFLICT;
      const isNew = read.records.order === undefined && read.records.subscription === undefined;
      return ok({ result: isNew ? 'recorded' : 'updated', ...recorded });
    });
  };
};

export type RecordSale = ReturnType<typeof recordSale>;
