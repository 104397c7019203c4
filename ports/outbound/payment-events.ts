import type { Permit } from '../../domain/access/permit.ts';
import type { Meaning, PaymentEvent, ProviderName } from '../../domain/sales/payment-event.ts';
import type { Provider } from '../../domain/sales/sale-event.ts';

export type EventName = Pick<PaymentEvent, 'provider' | 'id'>;

/**
 * The events of payment providers, each once under its provider and id, and the meanings of the providers' own ids.
 * Everything expires.
 */
export interface PaymentEvents {
  find(event: EventName): Promise<PaymentEvent | undefined>;

  /** Keeps the event for 30 days from when it was received; an event that is there is replaced. */
  save(permit: Permit, event: PaymentEvent): Promise<void>;

  /** All events, in no order. */
  list(): AsyncIterable<PaymentEvent>;

  name(provider: Provider, name: string): Promise<ProviderName | undefined>;

  /** Makes the event wait for the meaning of a name. False, with nothing written, where the name has one by now. */
  awaitMeaning(permit: Permit, provider: Provider, name: string, eventId: string): Promise<boolean>;

  /**
   * Keeps what is known of a name; null leaves what was known before. Returns the ids of the events that wait for its
   * meaning, which goes on until `endWaiting`.
   */
  keepMeaning(
    permit: Permit,
    provider: Provider,
    name: string,
    known: { readonly meaning: Meaning | null; readonly account_id: number | null },
  ): Promise<readonly string[]>;

  /** These events no longer wait for the name. */
  endWaiting(permit: Permit, provider: Provider, name: string, eventIds: readonly string[]): Promise<void>;
}
