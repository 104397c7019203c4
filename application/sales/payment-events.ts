import type { Permit } from '../../domain/access/permit.ts';
import { type EventFault, isOpen, needsShop, type PaymentEvent } from '../../domain/sales/payment-event.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import { inOrder, isBehind, type ListOrder, placeOf, type Stretch } from '../../domain/shared/paging.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { ProviderSilent } from '../../ports/outbound/sales.ts';
import type { SettleEvent } from './settle-event.ts';

/** An event without its body. */
export type ListedEvent = Omit<PaymentEvent, 'body'>;

const withoutBody = ({ body: _, ...event }: PaymentEvent): ListedEvent => event;

/** The newest events first. */
export const EVENTS: ListOrder<ListedEvent> = {
  place: ({ received_at, provider, id }) => placeOf(received_at, provider, id),
  highestFirst: true,
};

/** True for an event that was refused, in whole or in part, and that the shop must fix. */
const isRefused = (event: PaymentEvent): boolean => isOpen(event) && event.state !== 'waiting';

/** Events that are held beside the newest ones before they are sorted. */
const HELD = 5000;

/** The events of one provider, or with one kind of reason. */
export type EventFilter = { readonly provider?: string | null; readonly fault?: EventFault | null };

const matches = (event: ListedEvent, { provider = null, fault = null }: EventFilter): boolean =>
  (provider === null || event.provider === provider) && (fault === null || event.fault === fault);

export type ListInput = EventFilter & {
  /** `refused`: events that the shop must fix. `open`: those and the waiting ones. */
  readonly only: 'refused' | 'open' | null;
  /** The maximum number of entries. */
  readonly limit: number;
  /** The place of the event behind which the list starts. */
  readonly after?: string | null;
};

/** The events of payment providers of the last 30 days, newest first. */
export const listEvents = ({ paymentEvents }: Needs<'paymentEvents'>) =>
  async function listEvents({ only, limit, after = null, ...filter }: ListInput): Promise<ListedEvent[]> {
    let found: ListedEvent[] = [];
    for await (const event of only === null ? paymentEvents.list() : paymentEvents.opens()) {
      const isAsked = (only !== 'refused' || isRefused(event)) && matches(event, filter);
      if (isAsked && isBehind(event, after, EVENTS)) found.push(withoutBody(event));
      if (found.length > HELD + limit) found = inOrder(found, EVENTS).slice(0, limit);
    }
    return inOrder(found, EVENTS).slice(0, limit);
  };

export type ListEvents = ReturnType<typeof listEvents>;

export type NamedEvent = {
  readonly id: string;
  /** Without it, every event is read. */
  readonly provider?: string | null;
};

const eventMissing = (id: string): Refused<'event_not_found'> =>
  refuse('event_not_found', {
    message: `There is no event ${id}; events are kept for 30 days, and "event list" names them.`,
  });

/** An event with its body. */
export const showEvent = ({ paymentEvents }: Needs<'paymentEvents'>) =>
  async function showEvent({ id, provider = null }: NamedEvent): Promise<Outcome<PaymentEvent, 'event_not_found'>> {
    if (provider !== null) {
      const event = await paymentEvents.find({ provider, id });
      return event ? ok(event) : eventMissing(id);
    }
    for await (const event of paymentEvents.list()) if (event.id === id) return ok(event);
    return eventMissing(id);
  };

export type ShowEvent = ReturnType<typeof showEvent>;

/** The maximum number of events that are counted. */
const MOST_COUNTED = 1000;

/** The numbers of events that need the shop's attention, by state. */
export const countOpenEvents = ({ clock, paymentEvents }: Needs<'clock' | 'paymentEvents'>) =>
  async function countOpenEvents(): Promise<Readonly<Record<'waiting' | 'refused' | 'done', number>>> {
    const now = clock.now();
    const counts = { waiting: 0, refused: 0, done: 0 };
    let read = 0;
    for await (const event of paymentEvents.opens()) {
      if (event.state !== 'ignored' && needsShop(event, now)) counts[event.state] += 1;
      if (++read === MOST_COUNTED) break;
    }
    return counts;
  };

/** The maximum number of events that one call replays, or leaves to the worker. */
export const MOST_REPLAYED = 20;
const MOST_QUEUED = 200;

export type ReplayPorts = Needs<'paymentEvents' | 'paymentProviders'> & { readonly settleEvent: SettleEvent };

/** One event by its id, or the refused ones behind `after`. `queue`: the worker replays them. */
export type ReplayInput =
  | NamedEvent
  | (EventFilter & { readonly refused: true; readonly after?: string | null; readonly queue?: boolean });

const REPLAYS: ListOrder<ListedEvent> = { place: ({ provider, id }) => `${provider}#${id}` };

/** The event of a place. No provider's name contains the sign between the two. */
const namedAt = (place: string) => {
  const [provider = '', ...id] = place.split('#');
  return { provider, id: id.join('#') };
};

/**
 * Replays events by provider and id, after the shop has fixed the cause. Each page continues where the previous one
 * ended, and reads open events only. The order is not that of time, because a sale is recorded alike in any order.
 */
export const replayEvents = ({ paymentEvents, paymentProviders, settleEvent }: ReplayPorts) => {
  const show = showEvent({ paymentEvents });

  const refused = async ({ after = null, ...filter }: EventFilter & { after?: string | null }, most: number) => {
    const found: PaymentEvent[] = [];
    for await (const event of paymentEvents.opens({ after: after === null ? undefined : namedAt(after) })) {
      if (isRefused(event) && matches(event, filter)) found.push(event);
      if (found.length > most) break;
    }
    return found;
  };

  return async function replayEvents(
    permit: Permit,
    input: ReplayInput,
  ): Promise<Outcome<Stretch<ListedEvent>, 'event_not_found' | 'provider_not_configured' | 'provider_silent'>> {
    const queues = 'refused' in input && input.queue === true;
    const most = queues ? MOST_QUEUED : MOST_REPLAYED;
    const found = 'id' in input ? await show(input) : ok(await refused(input, most));
    if (!found.ok) return found;
    const events = [found.value].flat();
    const data: ListedEvent[] = [];
    for (const event of events.slice(0, most)) {
      const provider = await paymentProviders(event.provider);
      if (!provider) {
        const message = `The events of ${event.provider} can’t be read without its webhook secret; set it as the server has it.`;
        return refuse('provider_not_configured', { message });
      }
      if (queues) {
        const queued: PaymentEvent = { ...event, queued: true, attempts: 0, due_at: undefined };
        if (!event.queued) await paymentEvents.save(permit, queued, event);
        data.push(withoutBody(queued));
        continue;
      }
      try {
        data.push(withoutBody(await settleEvent(permit, provider, event, true)));
      } catch (error) {
        if (!(error instanceof ProviderSilent)) throw error;
        return refuse('provider_silent', { message: `${error.message} Replay the events again later.` });
      }
    }
    const last = data.at(-1);
    return ok({ data, next_after: last && events.length > data.length ? REPLAYS.place(last) : null });
  };
};

export type ReplayEvents = ReturnType<typeof replayEvents>;
