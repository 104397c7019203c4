import type { Meaning } from '../../domain/sales/payment-event.ts';
import type { Provider, SaleEvent } from '../../domain/sales/sale-event.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';

/** An event whose signature fits. */
export type SignedEvent = { readonly id: string; readonly type: string; readonly body: string };

/** The content of an event. Both are empty for an event that concerns no sale. */
export type Told = {
  readonly events: readonly SaleEvent[];
  /** The meanings that this event gives to the provider's own ids. */
  readonly names: Readonly<Record<string, Meaning>>;
};

/** Finds the meaning that an earlier event gave to one of the provider's ids. */
export type FindMeaning = (name: string) => Promise<Meaning | undefined>;

export type Untrusted = 'webhook_signature_invalid' | 'webhook_too_old' | 'malformed_body';

/** Reads the events of one payment provider. */
export interface PaymentProvider {
  readonly name: Provider;
  /** Checks the signature over the raw bytes, by each secret in force, and that it is at most five minutes old. */
  verify(
    raw: Uint8Array,
    headers: Readonly<Record<string, string | undefined>>,
    now: Instant,
  ): Promise<Outcome<SignedEvent, Untrusted>>;
  /**
   * The content of a body that was verified. `name_unknown`: the event needs the meaning of the id in `data.name`, which
   * no event has told so far.
   */
  tell(body: string, find: FindMeaning): Promise<Outcome<Told, 'not_understood' | 'name_unknown'>>;
}

/** The configured providers; undefined for any other name. */
export type PaymentProviders = (name: string) => Promise<PaymentProvider | undefined>;
