import type { Permit } from '../../domain/access/permit.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import type { KnownSale, SaleNames } from '../../domain/sales/decide-sale.ts';
import type { Meaning, PaymentEvent, ProviderName } from '../../domain/sales/payment-event.ts';
import type { Provider, SaleEvent } from '../../domain/sales/sale-event.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';

/** A sale as read, with the version of each item, for the store's own use. */
export type ReadSale = KnownSale & {
  readonly versions: ReadonlyMap<string, string>;
  /** The ids of transferred entitlements whose holders were erased: none of them is written again. */
  readonly gone: readonly number[];
  /** True for a refund to an erased buyer whose license another account holds. */
  readonly erased?: boolean;
};

/** The sales of payment providers by their references, and the records that they created. */
export interface Sales {
  /**
   * Reads a sale, bypassing every cache. A payment names its subscription, and a subscription names the payment that
   * started it.
   */
  read(provider: string, names: SaleNames): Promise<ReadSale>;
  /**
   * Writes the changed records of a sale in one transaction, with audit entries and messages. Returns false and writes
   * nothing if anything has changed since the read, or the account was erased.
   */
  write(
    permit: Permit,
    provider: string,
    read: ReadSale,
    after: Pick<KnownSale, 'order' | 'subscription' | 'records'>,
    messages: NewMessages,
  ): Promise<boolean>;
}

export type SignedEvent = { readonly id: string; readonly type: string; readonly body: string };

/** The sales and ids in an event. Both are empty if it concerns no sale. */
export type Told = {
  readonly events: readonly SaleEvent[];
  /** The meanings of provider ids that this event defines. */
  readonly names: Readonly<Record<string, Meaning>>;
};

/** Finds the meaning that an earlier event gave to one of the provider's ids. */
export type FindMeaning = (name: string) => Promise<Meaning | undefined>;

export type Untrusted = 'webhook_signature_invalid' | 'webhook_too_old' | 'malformed_body';

/** A provider's API did not respond, or refused the key. The message is a sentence for the operator. */
export class ProviderSilent extends Error {
  override name = 'ProviderSilent';
}

/** The provider's API. Each call may throw ProviderSilent. */
export interface ProviderSource {
  /** Adds missing lines to a body; undefined if none are missing. */
  complete?(body: string): (() => Promise<string>) | undefined;
  /** The meaning of one of the provider's ids; undefined if the provider has none. */
  meaning?(name: string): Promise<Meaning | undefined>;
  /** All objects that concern sales; `since` excludes earlier payments and refunds. */
  objects(since: Instant | null): AsyncIterable<ListedObject>;
}

/** An object of a provider's list, in the form of an event's body at the time of the object. */
export type ListedObject = {
  readonly stage: 'Customers' | 'Orders' | 'Subscriptions' | 'Refunds';
  /** The number of objects in the list, if the provider reports it. */
  readonly total?: number | undefined;
  readonly reference: string;
  readonly body: string;
};

export interface PaymentProvider {
  readonly name: Provider;
  /** Absent if no API key is configured. */
  readonly source?: ProviderSource | undefined;
  /** Verifies the signature of the raw bytes with each current secret, and that it is at most five minutes old. */
  verify(
    raw: Uint8Array,
    headers: Readonly<Record<string, string | undefined>>,
    now: Instant,
  ): Promise<Outcome<SignedEvent, Untrusted>>;
  /**
   * The content of a verified body. `name_unknown`: the event needs the meaning of the id in `data.name`, which is not
   * known yet.
   */
  tell(body: string, find: FindMeaning): Promise<Outcome<Told, 'not_understood' | 'name_unknown'>>;
}

/** The configured providers by name; undefined for any other name. */
/** The providers whose webhooks are accepted, because their signing secret is set. */
export type ConnectedProviders = readonly string[];

export type PaymentProviders = (name: string) => Promise<PaymentProvider | undefined>;

export type EventName = Pick<PaymentEvent, 'provider' | 'id'>;

/**
 * The events of payment providers, each once under its provider and id, and the meanings of the providers' own ids. All
 * of them expire.
 */
export interface PaymentEvents {
  find(event: EventName): Promise<PaymentEvent | undefined>;

  /** Stores the event for 30 days after it was received, replacing an existing one. `before` is the event as read. */
  save(permit: Permit, event: PaymentEvent, before?: PaymentEvent): Promise<void>;

  /** All events, in any order. */
  list(): AsyncIterable<PaymentEvent>;

  /**
   * The open events by provider and id, from behind `after` on; it reads no others. `due`: without those that rest
   * (`isResting`).
   */
  opens(input?: { readonly after?: EventName | undefined; readonly due?: true }): AsyncIterable<PaymentEvent>;

  name(provider: Provider, name: string): Promise<ProviderName | undefined>;

  /** Makes the event wait for the meaning of a name. Returns false and writes nothing if the name has one by now. */
  awaitMeaning(permit: Permit, provider: Provider, name: string, event_id: string): Promise<boolean>;

  /**
   * Stores the meaning of an id; null keeps the known one. Returns the ids of the events that wait for it; they wait
   * until `endWaiting`.
   */
  keepMeaning(
    permit: Permit,
    provider: Provider,
    name: string,
    known: { readonly meaning: Meaning | null; readonly account_id: number | null },
  ): Promise<readonly string[]>;

  /** Records that these events no longer wait for the name. */
  endWaiting(permit: Permit, provider: Provider, name: string, eventIds: readonly string[]): Promise<void>;
}
