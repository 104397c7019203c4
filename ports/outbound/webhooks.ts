import type { Permit } from '../../domain/access/permit.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { PrivateKey, SigningKeyRing } from '../../domain/signing/signing-key-ring.ts';
import type { Delivery, ListedDelivery, NewWebhookEvents, Sending } from '../../domain/webhooks/delivery.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';

export type ReadWebhook = { readonly webhook: Webhook; readonly version: string };

/** The webhooks of the shop, oldest first. */
export interface Webhooks {
  list(): Promise<ReadWebhook[]>;
  /** Writes the webhook, a new one where `read` is absent; false if it has changed since. */
  save(permit: Permit, webhook: Webhook, read?: ReadWebhook): Promise<boolean>;
  /** Removes the webhook. What waits for it is never sent. False if it has changed since. */
  remove(permit: Permit, read: ReadWebhook): Promise<boolean>;
}

/** The right to send to a webhook. Its `version` is lost once another worker has it. */
export type WebhookLease = { readonly webhook_id: number; readonly sending: Sending; readonly version: string };

/** A delivery that waits, as it was read. */
export type QueuedDelivery = { readonly webhook_id: number; readonly delivery: Delivery; readonly version: string };

/** A page of deliveries: those before an id, newest first. */
export type DeliveriesInput = { readonly limit: number; readonly before: number | null };

/**
 * The events that wait to be sent, by webhook. The transaction of a change writes its events, so that neither exists
 * alone. An implementation must pass the contract suite `contracts/webhook-queue`.
 */
export interface WebhookQueue {
  /** Writes events that belong to no change. */
  add(permit: Permit, webhook_id: number, events: NewWebhookEvents): Promise<Delivery[]>;
  /**
   * Queues the oldest written events for each webhook that wants them, and the mails to the shop about them; without
   * events, the next summary of such mails that is due. False if there was nothing to do.
   */
  spread(permit: Permit): Promise<boolean>;
  /**
   * The state of sending to a webhook, with the version of that record, and the id of its newest waiting delivery,
   * null if none waits. It reads two records.
   */
  glance(webhook_id: number): Promise<{
    readonly sending: Sending;
    readonly version: string | null;
    readonly newest: number | null;
  }>;
  /** Takes the right to send to a webhook until `until`; undefined while another worker has it, or the webhook rests. */
  lease(permit: Permit, webhook_id: number, now: Instant, until: Instant): Promise<WebhookLease | undefined>;
  /** Gives the right back, with the state of the sending; false if another worker has it. */
  giveBack(permit: Permit, lease: WebhookLease, sending: Sending): Promise<boolean>;
  /** Ends the rest of a webhook that failed, as its receiver may have been mended. */
  wake(permit: Permit, webhook_id: number): Promise<void>;
  /** The deliveries that wait, in the order of their events, read page by page. */
  waiting(webhook_id: number): AsyncIterable<QueuedDelivery>;
  /** The webhook of a delivery, if neither was removed and the delivery was not changed since it was read. */
  webhookOf(queued: QueuedDelivery): Promise<ReadWebhook | undefined>;
  /** Keeps a delivery for its next attempt; false if another worker has ended it. */
  keep(permit: Permit, queued: QueuedDelivery, delivery: Delivery): Promise<boolean>;
  /** Ends a delivery, which stays listed for thirty days; false if another worker has ended it. */
  end(permit: Permit, queued: QueuedDelivery, ended: ListedDelivery): Promise<boolean>;
  /** Makes a delivery due at once, whether it waits or ended; undefined if there is none. */
  renew(permit: Permit, webhook_id: number, id: number): Promise<Delivery | undefined>;
  /** The deliveries of a webhook, whether they wait or ended. */
  list(webhook_id: number, input: DeliveriesInput): Promise<ListedDelivery[]>;
}

/** Encrypts the secrets of webhooks under a signing key of the store. */
export interface SecretBox {
  /** A new secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
  mint(): string;
  seal(key: PrivateKey, secret: string): string;
  /** Undefined if the private part of its key is no longer in the ring. */
  open(ring: SigningKeyRing, sealed: string): string | undefined;
}

export type SignedRequest = {
  readonly url: string;
  /** The same in every attempt, by which a receiver recognizes a duplicate. */
  readonly id: string;
  readonly timestamp: Instant;
  readonly body: string;
  readonly secrets: readonly string[];
};

/**
 * Posts a body to a public address, signed by each secret (Standard Webhooks). Returns the status of the answer, whose
 * body nobody reads. Rejects if no answer comes within fifteen seconds.
 */
export interface WebhookSender {
  send(request: SignedRequest): Promise<number>;
}
