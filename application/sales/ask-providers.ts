import type { Permit } from '../../domain/access/permit.ts';
import { nextAttempt } from '../../domain/mail/message.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { ProviderSilent } from '../../ports/outbound/sales.ts';
import type { SettleEvent } from './settle-event.ts';

export type Ports = Needs<'clock' | 'paymentEvents' | 'paymentProviders'> & { readonly settleEvent: SettleEvent };

/** The maximum number of open events per run. */
const MOST = 1000;

/**
 * Completes the waiting events that are due with data from their providers. If a provider does not respond, the reason
 * is stored with the event, which is retried after a minute, then at doubling intervals of at most six hours. Returns
 * the number of events that no longer wait.
 */
export const askProviders = ({ clock, paymentEvents, paymentProviders, settleEvent }: Ports) =>
  async function askProviders(permit: Permit): Promise<number> {
    const now = clock.now();
    let settled = 0;
    for (const event of await paymentEvents.open(MOST)) {
      const provider = event.state === 'waiting' ? await paymentProviders(event.provider) : undefined;
      if (!provider?.source || (event.due_at ?? now) > now) continue;
      const attempts = (event.attempts ?? 0) + 1;
      const tried = { ...event, attempts, due_at: nextAttempt({ attempts }, now) };
      try {
        if ((await settleEvent(permit, provider, tried, true)).state !== 'waiting') settled += 1;
      } catch (error) {
        if (!(error instanceof ProviderSilent)) throw error;
        await paymentEvents.save(permit, { ...tried, reason: error.message });
      }
    }
    return settled;
  };

export type AskProviders = ReturnType<typeof askProviders>;
