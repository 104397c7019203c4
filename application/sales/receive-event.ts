import type { EventState } from '../../domain/sales/payment-event.ts';
import { type Ok, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { Untrusted } from '../../ports/outbound/sales.ts';
import type { Step } from '../shared/steps.ts';
import type { SettleEvent } from './settle-event.ts';

export type Ports = Needs<'clock' | 'paymentEvents' | 'paymentProviders'> & { readonly settleEvent: SettleEvent };

export type Input = {
  /** The provider's name in the path of the webhook. */
  readonly provider: string;
  readonly raw: Uint8Array;
  readonly headers: Readonly<Record<string, string | undefined>>;
};

/** A refusal of an unverified event, or the step that records a verified one. */
export type Received = Refused<Untrusted | 'not_found'> | Step<Ok<{ readonly state: EventState }>>;

/**
 * Receives an event of a payment provider. An unverified event leaves nothing behind. A verified one is always answered
 * with its state, because repeating it would not help; only a fault makes the provider deliver it again. An already
 * settled event is answered with its state.
 */
export const receiveEvent = ({ clock, paymentEvents, paymentProviders, settleEvent }: Ports) =>
  async function receiveEvent({ provider: name, raw, headers }: Input): Promise<Received> {
    const provider = await paymentProviders(name);
    if (!provider) return refuse('not_found', { message: 'This server has no webhook secret for this provider.' });
    const received_at = clock.now();
    const verified = await provider.verify(raw, headers, received_at);
    if (!verified.ok) return verified;
    const { id, type, body } = verified.value;
    const before = await paymentEvents.find({ provider: name, id });
    return async ({ permit }) => {
      if (before && before.state !== 'waiting') return ok({ state: before.state });
      const state = 'ignored' as const;
      const event = { provider: name, id, type, received_at, state, reason: null, account_id: null, body };
      return ok({ state: (await settleEvent(permit, provider, before ?? event)).state });
    };
  };

export type ReceiveEvent = ReturnType<typeof receiveEvent>;
