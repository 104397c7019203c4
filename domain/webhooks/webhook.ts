import { addDays, hasPassed, type Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';

/** The kinds of events that a webhook receives: an area, a dot, and the past tense of the change. */
export const WEBHOOK_KINDS = [
  'sale.created',
  'sale.paid',
  'sale.refunded',
  'sale.disputed',
  'sale.withdrawn',
  'sale.changed',
  'license.created',
  'license.changed',
  'license.revoked',
  'subscription.created',
  'subscription.renewed',
  'subscription.past_due',
  'subscription.cancelled',
  'subscription.ended',
  'subscription.changed',
  'device.activated',
  'device.renamed',
  'device.released',
  'ticket.opened',
  'ticket.replied',
  'ticket.answered',
  'ticket.closed',
  'ticket.reopened',
  'release.published',
  'event.refused',
] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

/** A kind, or all kinds of an area (`sale.*`). */
export const KIND_PATTERNS: readonly string[] = [
  ...new Set(WEBHOOK_KINDS.map((kind) => `${kind.split('.', 1)[0]}.*`)),
  ...WEBHOOK_KINDS,
];

/** A secret, encrypted. It signs until `ends_at`; the newest one has no end. */
export type WebhookSecret = { readonly sealed: string; readonly ends_at: Instant | null };

/**
 * Why nothing is sent. `asked`: the shop paused it. `failing`: it failed for three days. `gone`: it answered 410. What
 * happens meanwhile is queued, except for one that is gone.
 */
export type WebhookPause = { readonly at: Instant; readonly reason: 'asked' | 'failing' | 'gone' };

/** A URL of the shop's own systems that receives changes (Standard Webhooks). */
export type Webhook = {
  readonly id: number;
  readonly url: string;
  /** Kinds, or areas as `sale.*`; every kind if it is empty. */
  readonly kinds: readonly string[];
  /** Newest first; two while the receiver changes from one to the other. */
  readonly secrets: readonly WebhookSecret[];
  readonly created_at: Instant;
  readonly paused: WebhookPause | null;
};

/** The most webhooks of a store. Each multiplies the work of every change. */
export const MOST_WEBHOOKS = 10;

/** The days for which the former secret signs beside a new one. */
const ROTATION_DAYS = 1;

export const wantsKind = ({ kinds }: Pick<Webhook, 'kinds'>, kind: string): boolean =>
  kind === 'ping' ||
  kinds.length === 0 ||
  kinds.some((one) => one === kind || (one.endsWith('.*') && kind.startsWith(one.slice(0, -1))));

/** True if what happens now is queued for the webhook. */
export const isQueuedFor = (webhook: Pick<Webhook, 'kinds' | 'paused'>, kind: string): boolean =>
  webhook.paused?.reason !== 'gone' && wantsKind(webhook, kind);

/** The secrets that sign at a moment, newest first. */
export const signingSecrets = ({ secrets }: Pick<Webhook, 'secrets'>, now: Instant): readonly string[] =>
  secrets.filter(({ ends_at }) => !hasPassed(ends_at, now)).map(({ sealed }) => sealed);

/** The webhook with a new secret. The previous one also signs for a day; an older one ends at once. */
export const withNewSecret = (webhook: Webhook, sealed: string, now: Instant): Webhook => ({
  ...webhook,
  secrets: [
    { sealed, ends_at: null },
    ...webhook.secrets.slice(0, 1).map((former) => ({ ...former, ends_at: addDays(now, ROTATION_DAYS) })),
  ],
});

/** Refuses a webhook beyond the most of a store. */
export const oneMoreWebhook = (number: number): Outcome<null, 'too_many_webhooks'> =>
  number < MOST_WEBHOOKS
    ? ok(null)
    : refuse('too_many_webhooks', { message: `There are ${MOST_WEBHOOKS} webhooks, the maximum; delete one first.` });
