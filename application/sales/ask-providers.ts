import type { Permit } from '../../domain/access/permit.ts';
import { isResting } from '../../domain/sales/payment-event.ts';
import { awaits, retryAt } from '../../domain/shared/instant.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { ProviderSilent } from '../../ports/outbound/sales.ts';
import type { SettleEvent } from './settle-event.ts';

export type Ports = Needs<'clock' | 'paymentEvents' | 'paymentProviders'> & { readonly settleEvent: SettleEvent };

/** The maximum number of events per run. */
const MOST = 1000;
const LONGEST_REST_MINUTES = 360;

/**
 * Completes the waiting events that are due with data from their providers, and replays the queued ones. If a provider does not respond, the reason
 * is stored with the event, which is retried after a minute, then at doubling intervals of at most six hours. Returns
 * the number of events that no longer wait.
 */
export const askProviders = ({ clock, paymentEvents, paymentProviders, settleEvent }: Ports) =>
  async function askProviders(permit: Permit): Promise<number> {
    const now = clock.now();
    let settled = 0;
    let tries = 0;
    for await (const event of paymentEvents.opens({ due: true })) {
      if (isResting(event) || awaits(event.due_at ?? now, now, 2 * LONGEST_REST_MINUTES)) continue;
      const provider = await paymentProviders(event.provider);
      if (!provider || !(provider.source ?? event.queued)) continue;
      if (tries === MOST) break;
      tries += 1;
      const attempts = (event.attempts ?? 0) + 1;
      const tried = { ...event, attempts, due_at: retryAt(attempts, LONGEST_REST_MINUTES, now) };
      try {
        if ((await settleEvent(permit, provider, tried, true)).state !== 'waiting') settled += 1;
      } catch (error) {
        if (!(error instanceof ProviderSilent)) throw error;
        const why = event.state === 'waiting' && { reason: error.message, fault: 'provider_silent' as const };
        await paymentEvents.save(permit, { ...tried, ...why }, event);
      }
    }
    return settled;
  };

export type AskProviders = ReturnType<typeof askProviders>;
