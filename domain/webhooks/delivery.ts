import { addDays, awaits, hasPassed, type Instant, MINUTE_MS, millis, retryAt, toInstant } from '../shared/instant.ts';
import type { WebhookKind } from './webhook.ts';

/** A change for webhooks, as its transaction writes it. */
export type NewWebhookEvent = {
  readonly kind: WebhookKind | 'ping';
  /** The record that changed, such as `sale 12`. The events of a record arrive in their order. */
  readonly record: string;
  readonly data: Readonly<Record<string, unknown>>;
};
export type NewWebhookEvents = readonly NewWebhookEvent[];

export type WebhookEvent = NewWebhookEvent & { readonly id: number; readonly timestamp: Instant };

/** The account whose erasure takes the event along; null for a sale, because its order stays. */
export const takenAlongWith = ({ kind, data }: Pick<NewWebhookEvent, 'kind' | 'data'>): number | null =>
  kind.startsWith('sale.') || !('account_id' in data) ? null : (data.account_id as number | null);

/** The events of one transaction. They wait until they are queued for each webhook. */
export type WrittenEvents = { readonly id: number; readonly events: readonly WebhookEvent[] };

/** An event that waits to be sent to a webhook. */
export type Delivery = WebhookEvent & {
  readonly queued_at: Instant;
  readonly due_at: Instant;
  readonly attempts: number;
  /** The reason why the last attempt failed; null before and after it. */
  readonly fault: string | null;
};

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;

/** A delivery with its state, as it is listed. */
export type ListedDelivery = Delivery & {
  readonly state: (typeof DELIVERY_STATES)[number];
  readonly ended_at: Instant | null;
};

/** Days for which a delivery waits at most, and for which it is listed after its end. */
export const DELIVERY_KEPT_DAYS = 30;

export const newDelivery = (event: WebhookEvent, now: Instant): Delivery => ({
  ...event,
  queued_at: now,
  due_at: now,
  attempts: 0,
  fault: null,
});

/** Failed attempts after which a delivery is given up: three days of them, not counting a pause of its webhook. */
const MOST_ATTEMPTS = 20;
const LONGEST_DELAY_MINUTES = 360;

/** The delivery after a failed attempt, at its next moment; null if it is given up. */
export const retried = (delivery: Delivery, fault: string, now: Instant): Delivery | null => {
  const attempts = delivery.attempts + 1;
  return attempts < MOST_ATTEMPTS
    ? { ...delivery, attempts, due_at: retryAt(attempts, LONGEST_DELAY_MINUTES, now), fault }
    : null;
};

/** True while a delivery rests after a failed attempt. */
export const isRetriedLater = ({ attempts, due_at }: Pick<Delivery, 'attempts' | 'due_at'>, now: Instant): boolean =>
  attempts > 0 && awaits(due_at, now, 2 * LONGEST_DELAY_MINUTES);

/** The state of sending to a webhook. One worker at a time sends to it, until `leased_until`. */
export type Sending = {
  readonly leased_until: Instant;
  /** Nothing is sent before this moment. */
  readonly due_at: Instant;
  /** The failed attempts since the last success, and the moment of the first of them. */
  readonly failures: number;
  readonly failing_since: Instant | null;
};

export const NOTHING_SENT: Sending = { leased_until: '', due_at: '', failures: 0, failing_since: null };

/** Seconds for which a worker has a webhook, and in which it must begin the last request to it. */
export const WEBHOOK_LEASE_SECONDS = 120;
export const WEBHOOK_TURN_SECONDS = 30;

/** Failed attempts in a row after which a webhook rests as a whole, so that a receiver that is down is left alone. */
const FAILURES_BORNE = 3;

const LONGEST_REST_MINUTES = 60;

/** True while the webhook rests as a whole. */
export const restsNow = ({ due_at }: Sending, now: Instant): boolean => awaits(due_at, now, 2 * LONGEST_REST_MINUTES);

/** True while no worker may take the webhook: another one has it, or it rests. */
export const isBusy = (sending: Sending, now: Instant): boolean =>
  awaits(sending.leased_until, now) || restsNow(sending, now);

export const afterSuccess = (sending: Sending): Sending => ({ ...sending, failures: 0, failing_since: null });

/** The sending after a failed attempt: from the third in a row on it rests, twice as long each time, at most an hour. */
export const afterFailure = (sending: Sending, now: Instant): Sending => {
  const failures = sending.failures + 1;
  const minutes = Math.min(LONGEST_REST_MINUTES, 2 ** (failures - FAILURES_BORNE));
  return {
    ...sending,
    failures,
    failing_since: sending.failing_since && sending.failing_since < now ? sending.failing_since : now,
    due_at: failures < FAILURES_BORNE ? sending.due_at : toInstant(millis(now) + minutes * MINUTE_MS),
  };
};

/** Days for which a webhook may fail before it is paused. */
const DAYS_FAILING = 3;

/** True if the webhook has failed for so long that it is paused. */
export const isHopeless = ({ failing_since }: Sending, now: Instant): boolean =>
  failing_since !== null && hasPassed(addDays(failing_since, DAYS_FAILING), now);
