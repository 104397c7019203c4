import type { Permit } from '../../domain/access/permit.ts';
import { isOpen, type Meaning, type PaymentEvent } from '../../domain/sales/payment-event.ts';
import type { SaleEvent } from '../../domain/sales/sale-event.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { PaymentProvider } from '../../ports/outbound/sales.ts';
import type { RecordSale } from './record-sale.ts';

export type Ports = Needs<'paymentEvents'> & { readonly recordSale: RecordSale };

type Reached = Pick<PaymentEvent, 'state' | 'reason' | 'fault' | 'account_id'>;

/** The buyer's address in the facts. */
const buyerIn = (events: readonly SaleEvent[]): string | undefined =>
  events.flatMap(({ facts }) => (facts.kind === 'refund' ? [] : [facts.buyer.email]))[0];

/**
 * Processes a verified event: records its sales, stores the meanings of its ids, and stores the event with its state.
 * Events that waited for one of these ids are processed again. Everything may run twice, concurrently or after a fault,
 * because a sale is recorded once and the event is stored last. With `asks`, missing data is requested from the
 * provider, which may throw ProviderSilent; otherwise an event without lines waits for that.
 */
export const settleEvent = ({ paymentEvents, recordSale }: Ports) => {
  const record = async (permit: Permit, events: readonly SaleEvent[]): Promise<Reached> => {
    let account_id: number | null = null;
    let reason: string | null = null;
    for (const event of events) {
      const recorded = await recordSale(permit, event);
      if (!recorded.ok) {
        return { state: 'refused', reason: recorded.message ?? recorded.code, fault: recorded.code, account_id };
      }
      ({ account_id } = recorded.value);
      reason ??= recorded.value.reason;
    }
    const state = events.length === 0 ? 'ignored' : 'done';
    return { state, reason, fault: reason === null ? undefined : 'product_not_found', account_id };
  };

  const settle = async (
    permit: Permit,
    provider: PaymentProvider,
    event: PaymentEvent,
    asks = false,
  ): Promise<PaymentEvent> => {
    const keep = async (reached: Partial<PaymentEvent>): Promise<PaymentEvent> => {
      const saved: PaymentEvent = { ...event, queued: undefined, ...reached };
      await paymentEvents.save(permit, saved, event);
      return saved;
    };
    const completed = provider.source?.complete?.(event.body);
    if (completed && !asks) {
      return keep({ state: 'waiting', reason: `${provider.name} is asked for its lines.`, fault: 'lines_missing' });
    }
    /** The ids in the event, which then belong to its account. */
    const used = new Set<string>();
    const lookedUp: Record<string, Meaning> = {};
    const facts = await provider.tell((await completed?.()) ?? event.body, async (name) => {
      used.add(name);
      const known = (await paymentEvents.name(provider.name, name))?.meaning ?? undefined;
      const meaning = known ?? (asks ? await provider.source?.meaning?.(name) : undefined);
      if (meaning && !known) lookedUp[name] = meaning;
      return meaning;
    });
    if (!facts.ok) {
      const { code: fault, message: reason = null } = facts;
      if (fault === 'not_understood') return keep({ state: 'refused', reason, fault });
      const name = String(facts.data?.['name']);
      const waiting = await keep({ state: 'waiting', reason: `No event has told about ${name} yet.`, fault });
      const waits = await paymentEvents.awaitMeaning(permit, provider.name, name, event.id);
      return waits ? waiting : settle(permit, provider, waiting, asks);
    }
    const { events, names } = facts.value;
    const reached = await record(permit, events);
    const { account_id } = reached;
    for (const name of used)
      await paymentEvents.keepMeaning(permit, provider.name, name, { meaning: null, account_id });
    for (const [name, meaning] of Object.entries({ ...lookedUp, ...names })) {
      const waiting = await paymentEvents.keepMeaning(permit, provider.name, name, { meaning, account_id });
      for (const id of waiting) {
        const other = await paymentEvents.find({ provider: provider.name, id });
        if (other?.state === 'waiting') await settle(permit, provider, other, asks);
      }
      if (waiting.length > 0) await paymentEvents.endWaiting(permit, provider.name, name, waiting);
    }
    return keep({ ...reached, buyer: isOpen(reached) ? buyerIn(events) : undefined });
  };
  return settle;
};

export type SettleEvent = ReturnType<typeof settleEvent>;
