import type { Permit } from '../../domain/access/permit.ts';
import type { PaymentEvent } from '../../domain/sales/payment-event.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { SettleEvent } from './settle-event.ts';

/** An event without its body, which names the buyer. */
export type ListedEvent = Omit<PaymentEvent, 'body'>;

const withoutBody = ({ body: _, ...event }: PaymentEvent): ListedEvent => event;

const byTime = (a: ListedEvent, b: ListedEvent): number =>
  a.received_at < b.received_at ? -1 : a.received_at > b.received_at ? 1 : 0;

export type ListWish = {
  /** Only those that are refused, which the shop has to mend something for. */
  readonly refused: boolean;
  /** The most entries listed. */
  readonly limit: number;
};

/** The events of payment providers of the last 30 days, newest first. */
export const listEvents =
  ({ paymentEvents }: Needs<'paymentEvents'>) =>
  async ({ refused, limit }: ListWish): Promise<ListedEvent[]> => {
    const found: ListedEvent[] = [];
    for await (const event of paymentEvents.list()) {
      if (!refused || event.state === 'refused') found.push(withoutBody(event));
    }
    return found.sort((a, b) => byTime(b, a)).slice(0, limit);
  };

export type ListEvents = ReturnType<typeof listEvents>;

export type ReplayPorts = Needs<'paymentEvents' | 'paymentProviders'> & { readonly settleEvent: SettleEvent };

export type ReplayWish = { readonly id: string } | { readonly refused: true };

/** Runs events again, oldest first, after the shop has mended what they were refused for. */
export const replayEvents =
  ({ paymentEvents, paymentProviders, settleEvent }: ReplayPorts) =>
  async (
    permit: Permit,
    wish: ReplayWish,
  ): Promise<Outcome<readonly ListedEvent[], 'event_not_found' | 'provider_not_configured'>> => {
    const found: PaymentEvent[] = [];
    for await (const event of paymentEvents.list()) {
      if ('id' in wish ? event.id === wish.id : event.state === 'refused') found.push(event);
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
      replayed.push(withoutBody(await settleEvent(permit, provider, event)));
    }
    return ok(replayed);
  };

export type ReplayEvents = ReturnType<typeof replayEvents>;
