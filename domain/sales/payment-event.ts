import type { BillingDetails } from '../accounts/billing-details.ts';
import { type Instant, MINUTE_MS, millis } from '../shared/instant.ts';
import type { Buyer, Provider } from './sale-event.ts';

/** Days for which a received event is stored with its body, so that it can be replayed. */
export const EVENT_DAYS = 30;

/** The maximum size of an event's body in bytes. */
export const MAX_EVENT_BYTES = 256 * 1024;

/**
 * The result of an event. `done`: its sales are recorded, except for the parts that `reason` names. `ignored`: it is
 * not about a sale. `waiting`: it refers to a customer or a payment that a later event explains. `refused`: it can't be
 * recorded until the shop fixes something, which `reason` names.
 */
export const EVENT_STATES = ['done', 'ignored', 'waiting', 'refused'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/**
 * The kinds of reasons why an event is open. The shop mends the first ones; the provider's later events or its API end
 * those from `name_unknown` on.
 */
export const EVENT_FAULTS = [
  'product_not_found',
  'currency_unknown',
  'email_invalid',
  'amounts_contradict',
  'too_many_lines',
  'reference_too_long',
  'account_erased',
  'not_understood',
  'name_unknown',
  'lines_missing',
  'provider_silent',
] as const;
export type EventFault = (typeof EVENT_FAULTS)[number];

export type PaymentEvent = {
  readonly provider: Provider;
  readonly id: string;
  /** The provider's own name of the kind of event. */
  readonly type: string;
  readonly received_at: Instant;
  readonly state: EventState;
  /** A sentence for the operator, or null. */
  readonly reason: string | null;
  /** The kind of the reason; absent if there is none, and in events of an earlier version. */
  readonly fault?: EventFault | undefined;
  /** The worker replays the event. */
  readonly queued?: true | undefined;
  /** The account of its sales, so that its erasure deletes the event; null if there is none. */
  readonly account_id: number | null;
  /** The buyer's address in an open event, so the shop can contact them; absent if the event has none. */
  readonly buyer?: string | undefined;
  /** The number of times that the provider was asked for missing data, and the time of the next request. */
  readonly attempts?: number | undefined;
  readonly due_at?: Instant | undefined;
  /** JSON, exactly as it was signed. */
  readonly body: string;
};

type Standing = Pick<PaymentEvent, 'state' | 'reason'>;

/** True for an event that is not recorded, or only in part. */
export const isOpen = ({ state, reason }: Standing): boolean =>
  state === 'waiting' || state === 'refused' || (state === 'done' && reason !== null);

/** True for an open event that rests until the shop has fixed its cause: neither the provider nor the worker ends it. */
export const isResting = ({ state, queued }: Pick<PaymentEvent, 'state' | 'queued'>): boolean =>
  state !== 'waiting' && !queued;

/** Minutes for which an event may wait before the shop must look at it. */
const PATIENCE_MINUTES = 60;

/** True for an open event that needs attention: it has waited for an hour, was refused, or was recorded in part. */
export const needsShop = (event: Standing & Pick<PaymentEvent, 'received_at'>, now: Instant): boolean =>
  isOpen(event) &&
  (event.state !== 'waiting' || millis(now) - millis(event.received_at) >= PATIENCE_MINUTES * MINUTE_MS);

/**
 * The meaning of one of a provider's ids: a customer's is the buyer, a payment's is the reference of its order, and
 * that of a business or an address is a part of the billing details.
 */
export type Meaning =
  | { readonly buyer: Buyer }
  | { readonly order_reference: string }
  | { readonly billing: BillingDetails };

/** Days for which a meaning is stored, without and with an account. Each further event renews them. */
export const MEANING_DAYS = { unowned: EVENT_DAYS, owned: 400 } as const;

/** A provider's id, and the events that wait for its meaning. */
export type ProviderName = {
  readonly meaning: Meaning | null;
  /** The account that the id belongs to, so its erasure deletes the record. */
  readonly account_id: number | null;
  readonly waiting: readonly string[];
};
