import type { Instant } from '../shared/instant.ts';
import type { Buyer, SubscriptionFacts } from './sale-event.ts';

type Status = SubscriptionFacts['status'];

/** The payment providers' names for the state of a subscription. */
const STATUSES: ReadonlyMap<string, Status> = new Map([
  ...(['trialing', 'active', 'past_due', 'unpaid', 'paused'] as const).map((word) => [word, word] as const),
  ['canceled', 'expired'],
]);

/** The status with a provider's name; undefined for one that neither grants nor ends anything. */
export const statusNamed = (word: string): Status | undefined => STATUSES.get(word);

/** A subscription in terms that the providers share. */
export type Standing = {
  readonly reference: string;
  readonly buyer: Buyer;
  readonly status: Status;
  readonly starts_at: Instant;
  /** The current period; null if the provider reports none, or no start of it. */
  readonly period_starts_at: Instant | null;
  readonly period_ends_at: Instant | null;
  readonly trial_ends_at: Instant | null;
  /** Whether it ends; if so, when that was decided, and the end if it is not the end of the period. */
  readonly isCancelled: boolean;
  readonly cancelled_at: Instant | null;
  readonly ends_at: Instant | null;
  /** True if it ended because its last period was not paid. */
  readonly isUnpaid?: boolean;
  readonly things: SubscriptionFacts['things'];
  /** Null if a price has no fixed amount. */
  readonly renewal: { readonly cents: number; readonly currency: string } | null;
};

/** The statuses of a subscription whose payment failed, or that is no longer charged. */
const DUE: readonly Status[] = ['past_due', 'unpaid'];

/**
 * The facts of a subscription as reported at a time. It ends at `ends_at`, or at that time. A provider's event has no
 * link for a new card.
 */
export const factsOfStanding = (told_at: Instant, standing: Standing): SubscriptionFacts => {
  const { reference, buyer, status, starts_at, trial_ends_at, period_ends_at, cancelled_at, renewal } = standing;
  const isOver = status === 'expired' || status === 'paused';
  const goesOn = !isOver && !standing.isCancelled;
  return {
    kind: 'subscription',
    reference,
    buyer,
    status: isOver || goesOn ? status : 'cancelled',
    starts_at,
    ends_at: isOver ? (standing.ends_at ?? told_at) : goesOn ? period_ends_at : (standing.ends_at ?? period_ends_at),
    due_since: standing.isUnpaid || DUE.includes(status) ? standing.period_starts_at : null,
    cancelled_at,
    trial_ends_at,
    next_charge_at: goesOn && status !== 'unpaid' ? period_ends_at : null,
    renewal_amount_cents: renewal?.cents ?? null,
    renewal_currency: renewal?.currency ?? null,
    update_payment_method_url: null,
    things: standing.things,
  };
};

/** The sum of prices times their units; null if a price has no fixed amount. */
export const renewalOf = (
  items: readonly { readonly cents: number | null; readonly quantity: number }[],
  currency: string | undefined,
): Standing['renewal'] => {
  const sum = items.reduce((total, { cents, quantity }) => total + (cents ?? Number.NaN) * quantity, 0);
  return Number.isNaN(sum) || currency === undefined ? null : { cents: sum, currency };
};

/** For a refund or dispute whose money came back to the shop: its record stays, but takes nothing. */
export const TAKEN_BACK = { amount_cents: 0, cause: 'refund' } as const;
