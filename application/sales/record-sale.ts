import type { Permit } from '../../domain/access/permit.ts';
import { orderMessages } from '../../domain/mail/message.ts';
import { accountOfSale, decidedSale, type KnownSale, namesOf, toldSale } from '../../domain/sales/decide-sale.ts';
import { judgeSale, type SaleFault } from '../../domain/sales/judge-sale.ts';
import { isSameOrder } from '../../domain/sales/sale.ts';
import type { SaleEvent } from '../../domain/sales/sale-event.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { tellOverUse } from '../teams/teams.ts';
import { findBuyer } from './find-buyer.ts';

export type Ports = Needs<'accounts' | 'catalogs' | 'clock' | 'ids' | 'licenses' | 'pauses' | 'sales' | 'teams'>;

export type RecordedSale = {
  readonly result: 'recorded' | 'updated' | 'unchanged';
  /** Null for a refund whose order has not arrived yet. */
  readonly account_id: number | null;
  readonly order_id: number | null;
  readonly subscription_id: number | null;
  /** The parts of the sale that could not be recorded, in a sentence for the operator; the rest is recorded. */
  readonly reason: string | null;
};

/** `trial` decides and writes nothing. `quiet` mails nothing to the buyer. */
export type RecordingInput = { readonly trial?: boolean; readonly quiet?: boolean };

/** True refuses other facts of a payment that has an order. */
export type NewSaleInput = { readonly must_be_new: boolean };

export type Refusal = SaleFault | 'account_erased' | 'email_invalid' | 'product_not_found';

type Recording<R extends string = Refusal> = Promise<Outcome<RecordedSale, R>>;

/** The result for a sale in its current state. */
const recordedAs = (
  result: RecordedSale['result'],
  sale: Pick<KnownSale, 'order' | 'subscription'>,
  reason: string | null,
) =>
  ok<RecordedSale>({
    result,
    reason,
    account_id: accountOfSale(sale) ?? null,
    order_id: sale.order.made?.order_id ?? null,
    subscription_id: sale.subscription.made?.subscription_id ?? null,
  });

/**
 * Records a sale reported by a payment provider: a payment with its grants, the state of a subscription, or a
 * refund. Events may arrive twice, concurrently and in any order: the newest facts count, each refund counts once, and
 * a refund waits for its order. The account is found by the buyer's address, or created. One transaction writes
 * everything.
 */
export const recordSale = (ports: Ports) => {
  const { accounts, catalogs, clock, ids, pauses, sales } = ports;
  const accountOf = findBuyer({ accounts, clock, ids, pauses });

  async function recordSale(permit: Permit, incoming: SaleEvent, input?: RecordingInput): Recording;
  async function recordSale(
    permit: Permit,
    incoming: SaleEvent,
    input: NewSaleInput,
  ): Recording<Refusal | 'reference_taken'>;
  async function recordSale(
    permit: Permit,
    incoming: SaleEvent,
    { trial = false, quiet = false, must_be_new = false }: RecordingInput & Partial<NewSaleInput> = {},
  ): Recording<Refusal | 'reference_taken'> {
    const judged = judgeSale(incoming);
    if (!judged.ok) return judged;
    const event = judged.value;
    const { facts } = event;
    const recorded = await untilWritten(pauses, async () => {
      const read = await sales.read(event.provider, namesOf(event));
      const known = accountOfSale(read);
      const { order: earlier, made } = read.order;
      if (must_be_new && earlier && facts.kind === 'order') {
        const buyer = await accounts.findByEmail(facts.buyer.email);
        if (buyer?.id === known && isSameOrder(earlier.facts, facts)) return recordedAs('unchanged', read, null);
        return refuse('reference_taken', {
          message: `${facts.reference} is the reference of order ${made?.number}; use another one. To correct that order, refund it and record it again.`,
        });
      }
      const products = facts.kind === 'refund' ? [] : [...(await catalogs.current()).products.values()];
      const sale = toldSale(read, event, products);
      if (!sale.ok) return sale;
      const { order, subscription, reason } = sale.value;
      if (order === read.order && subscription === read.subscription) return recordedAs('unchanged', read, reason);
      const erasure = known === undefined ? undefined : await accounts.erasure(known);
      // A merge is about to move the sale.
      if (erasure?.merged_into !== undefined) return CONFLICT;
      // A license that the buyer gave to another account before the erasure still ends with a refund.
      const isElsewhere = read.records.entitlements.some((one) => one.account_id !== known);
      const erased = erasure !== undefined && facts.kind === 'refund' && isElsewhere;
      if (erasure && !erased) {
        return refuse('account_erased', { message: 'The account of this sale was erased, so none of it is stored.' });
      }
      const isOpening = known === undefined && facts.kind !== 'refund';
      const account = isOpening ? await accountOf(permit, facts.buyer, trial) : ok(known);
      if (!account.ok) return account;
      const after = decidedSale(read, sale.value, event, account.value, () => ids.next());
      const messages = after.records.order && !quiet ? orderMessages(read.records.order, after.records.order) : [];
      if (!trial && !(await sales.write(permit, event.provider, { ...read, erased }, after, messages))) return CONFLICT;
      const isNew = read.records.order === undefined && read.records.subscription === undefined;
      return recordedAs(isNew ? 'recorded' : 'updated', after, reason);
    });
    const owner = recorded.ok && !trial && !quiet ? recorded.value.account_id : null;
    if (owner !== null) await tellOverUse(ports, permit, owner);
    return recorded;
  }
  return recordSale;
};

export type RecordSale = ReturnType<typeof recordSale>;
