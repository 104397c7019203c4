import type { Permit } from '../../domain/access/permit.ts';
import { isOpen, needsShop, type PaymentEvent } from '../../domain/sales/payment-event.ts';
import { compareText } from '../../domain/shared/compare-text.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { SettleEvent } from './settle-event.ts';

/** An event without its body. */
export type ListedEvent = Omit<PaymentEvent, 'body'>;

const withoutBody = ({ body: _, ...event }: PaymentEvent): ListedEvent => event;

const byTime = (a: ListedEvent, b: ListedEvent): number => compareText(a.received_at, b.received_at);

/** True for an event that was refused, in whole or in part, and that the shop must fix. */
const isRefused = (event: PaymentEvent): boolean => isOpen(event) && event.state !== 'waiting';

export type ListWish = {
  /** `refused`: events that the shop must fix. `open`: those and the waiting ones. */
  readonly only: 'refused' | 'open' | null;
  /** The maximum number of entries. */
  readonly limit: number;
};

/** The events of payment providers of the last 30 days, newest first. */
export const listEvents = ({ paymentEvents }: Needs<'paymentEvents'>) =>
  async function listEvents({ only, limit }: ListWish): Promise<ListedEvent[]> {
    const isWished = { refused: isRefused, open: isOpen, all: () => true }[only ?? 'all'];
    const found: ListedEvent[] = [];
    for await (const event of paymentEvents.list()) {
      if (isWished(event)) found.push(withoutBody(event));
    }
    return found.sort((a, b) => byTime(b, a)).slice(0, limit);
  };

export type ListEvents = ReturnType<typeof listEvents>;

/** The maximum number of events that are counted. */
const MOST_COUNTED = 1000;

/** The numbers of events that need the shop's attention, by state. */
export const countOpenEvents = ({ clock, paymentEvents }: Needs<'clock' | 'paymentEvents'>) =>
  async function countOpenEvents(): Promise<Readonly<Record<'waiting' | 'refused' | 'done', number>>> {
    const now = clock.now();
    const counts = { waiting: 0, refused: 0, done: 0 };
    for (const event of await paymentEvents.open(MOST_COUNTED)) {
      if (event.state !== 'ignored' && needsShop(event, now)) counts[event.state] += 1;
    }
    return counts;
  };

export type ReplayPorts = Needs<'paymentEvents' | 'paymentProviders'> & { readonly settleEvent: SettleEvent };

export type ReplayWish = { readonly id: string } | { readonly refused: true };

/** Replays events, oldest first, after the shop has fixed the cause. */
export const replayEvents = ({ paymentEvents, paymentProviders, settleEvent }: ReplayPorts) =>
  async function replayEvents(
    permit: Permit,
    wish: ReplayWish,
  ): Promise<Outcome<readonly ListedEvent[], 'event_not_found' | 'provider_not_configured'>> {
    const found: PaymentEvent[] = [];
    for await (const event of paymentEvents.list()) {
      if ('id' in wish ? event.id === wish.id : isRefused(event)) found.push(event);
    }
    if ('id' in wish && found.length === 0) {
      const message = `There is no event ${wish.id}; events are kept for 30 days, and "event list" names them.`;
      return refuse('event_not_found', { message });
    }
    const replayed: ListedEvent[] = [];
    for (const event of found.sort(byTime)) {
      const provider = await paymentProviders(event.provider);
      if (!provider) {
        const message = `The events of ${event.provider} can’t be read without its webhook secret; set it as the server has it.`;
        return refuse('provider_not_configured', { message });
      }
      replayed.push(withoutBody(await settleEvent(permit, provider, event, true)));
    }
    return ok(replayed);
  };

export type ReplayEvents = ReturnType<typeof replayEvents>;
