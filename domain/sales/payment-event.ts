import type { BillingDetails } from '../accounts/billing-details.ts';
import { type Instant, MINUTE_MS, millis } from '../shared/instant.ts';
import type { Buyer, Provider } from './sale-event.ts';

/** Days for which a received event is kept with its body, so that it can be run again. */
export const EVENT_DAYS = 30;

/** The most bytes of an event's body. */
export const MAX_EVENT_BYTES = 256 * 1024;

/**
 * The result of an event. `done`: its sales are recorded, but for what `reason` names. `ignored`: it tells of no sale.
 * `waiting`: it names a customer or a payment that another event, which is still to come, explains. `refused`: it
 * can't be recorded until the shop mends something; `reason` says what.
 */
export const EVENT_STATES = ['done', 'ignored', 'waiting', 'refused'] as const;
export type EventState = (typeof EVENT_STATES)[number];

export type PaymentEvent = {
  readonly provider: Provider;
  /** The provider's own id of the event. */
  readonly id: string;
  /** The provider's own name of the kind of event. */
  readonly type: string;
  readonly received_at: Instant;
  readonly state: EventState;
  /** One sentence for the operator; null if there is nothing to say. */
  readonly reason: string | null;
  /** The account that its sales are recorded for, so that its erasure removes the event; null if there is none. */
  readonly account_id: number | null;
  /** The buyer's address of an event that is open, so that the shop can answer them; absent if the event names none. */
  readonly buyer?: string | undefined;
  /** How often its provider was asked for what it lacks, and the moment before which it is not asked again. */
  readonly attempts?: number | undefined;
  readonly due_at?: Instant | undefined;
  /** JSON, exactly as it was signed. */
  readonly body: string;
};

type Standing = Pick<PaymentEvent, 'state' | 'reason'>;

/** True for an event that is not recorded, or only in part. */
export const isOpen = ({ state, reason }: Standing): boolean =>
  state === 'waiting' || state === 'refused' || (state === 'done' && reason !== null);

/** Minutes for which an event may wait for another one before the shop has to look at it. */
const PATIENCE_MINUTES = 60;

/** True for an open event that nothing mends by itself: it waits for an hour, is refused, or was recorded in part. */
export const needsShop = (event: Standing & Pick<PaymentEvent, 'received_at'>, now: Instant): boolean =>
  isOpen(event) &&
  (event.state !== 'waiting' || millis(now) - millis(event.received_at) >= PATIENCE_MINUTES * MINUTE_MS);

/**
 * The meaning of one of a provider's ids: a customer's is the buyer, a payment's is the reference of its order, and that
 * of a business or an address is a part of the billing details.
 */
export type Meaning =
  | { readonly buyer: Buyer }
  | { readonly order_reference: string }
  | { readonly billing: BillingDetails };

/** Days for which a meaning is kept that belongs to no account yet, and to one. Each further event renews them. */
export const MEANING_DAYS = { unowned: EVENT_DAYS, owned: 400 } as const;

/** A provider's id, and the events that wait for its meaning. */
export type ProviderName = {
  readonly meaning: Meaning | null;
  /** The account that the id belongs to, so that its erasure removes the record. */
  readonly account_id: number | null;
  readonly waiting: readonly string[];
};
