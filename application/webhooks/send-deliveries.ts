import type { Permit } from '../../domain/access/permit.ts';
import { faultText } from '../../domain/mail/message.ts';
import { hasPassed, type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import {
  afterFailure,
  afterSuccess,
  type Delivery,
  isHopeless,
  nextDelivery,
  retried,
  type Sending,
  WEBHOOK_LEASE_SECONDS,
  WEBHOOK_TURN_SECONDS,
} from '../../domain/webhooks/delivery.ts';
import { signingSecrets, type Webhook, type WebhookPause } from '../../domain/webhooks/webhook.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { QueuedDelivery, ReadWebhook, WebhookLease } from '../../ports/outbound/webhooks.ts';

type Ports = Needs<'clock' | 'licenseKeys' | 'secretBox' | 'webhookQueue' | 'webhookSender' | 'webhooks'>;

/** What a turn did: a line for the log. */
export type SentDelivery = {
  readonly webhook: number;
  readonly delivery: Pick<Delivery, 'id' | 'kind' | 'attempts'>;
  /** `rests`: it will be retried. `failed`: it was given up. */
  readonly end: 'delivered' | 'rests' | 'failed';
  readonly fault: string | null;
  /** The reason why the webhook is paused from now on. */
  readonly paused: WebhookPause['reason'] | null;
};

/** Deliveries that a worker reads at a time. */
const READ = 200;

const later = (now: Instant, seconds: number): Instant => toInstant(millis(now) + seconds * 1000);

/** The body of an event, which is the same text in each attempt. */
const bodyOf = ({ kind, timestamp, data }: Pick<Delivery, 'kind' | 'timestamp' | 'data'>): string =>
  JSON.stringify({ type: kind, timestamp, data });

/** The id by which a receiver recognizes an event that arrives again. */
export const messageId = ({ id }: Pick<Delivery, 'id'>): string => `evt_${id}`;

/**
 * Queues the events that were written, and sends what is due, to all webhooks at once and to each in turn. A worker
 * leases a webhook, so no two send to it at the same time; the worker after one that died sends the delivery again, with
 * the same id. Returns the number of requests.
 */
export const sendDeliveries = (ports: Ports) => {
  const { clock, licenseKeys, secretBox, webhookQueue, webhookSender, webhooks } = ports;

  const secretsOf = async (webhook: Webhook): Promise<string[]> => {
    const ring = await licenseKeys.current();
    const secrets = signingSecrets(webhook, clock.now()).map((sealed) => secretBox.open(ring, sealed));
    if (secrets.includes(undefined))
      throw new Error('The secret cannot be read with the keys of the store; rotate it.');
    return secrets as string[];
  };

  /** The status of the answer, or the fault that kept it away. */
  const post = async (webhook: Webhook, delivery: Delivery): Promise<number | string> => {
    try {
      const signed = { id: messageId(delivery), timestamp: clock.now(), body: bodyOf(delivery) };
      return await webhookSender.send({ url: webhook.url, ...signed, secrets: await secretsOf(webhook) });
    } catch (error) {
      return faultText(error instanceof Error ? error.message : String(error));
    }
  };

  /** Pauses the webhook, unless the shop has changed it meanwhile. */
  const pause = (permit: Permit, read: ReadWebhook, reason: WebhookPause['reason']) =>
    webhooks.save(permit, { ...read.webhook, paused: { at: clock.now(), reason } }, read);

  /** Sends what is due to a leased webhook, until the turn ends; returns how the sending stands then. */
  const turn = async (permit: Permit, read: ReadWebhook, lease: WebhookLease, tell: (sent: SentDelivery) => void) => {
    const { webhook } = read;
    const end = later(clock.now(), WEBHOOK_TURN_SECONDS);
    let sending: Sending = lease.sending;
    let waiting: readonly QueuedDelivery[] = await webhookQueue.waiting(webhook.id, READ);
    const next = () =>
      nextDelivery(
        waiting.map((queued) => ({ queued, ...queued.delivery })),
        clock.now(),
      )?.queued;
    for (let queued = next(); queued; queued = next()) {
      if (hasPassed(end, clock.now()) || sending.due_at > clock.now()) break;
      const { delivery } = queued;
      const answer = await post(webhook, delivery);
      const now = clock.now();
      const isDelivered = typeof answer === 'number' && answer >= 200 && answer < 300;
      const fault = typeof answer === 'number' ? `The answer has status ${answer}.` : answer;
      const rested = isDelivered ? null : retried(delivery, fault, now);
      const attempts = delivery.attempts + 1;
      const state = isDelivered ? 'delivered' : 'failed';
      const rest = waiting.filter((one) => one !== queued);
      if (rested) {
        const kept = await webhookQueue.keep(permit, queued, rested);
        waiting = kept ? waiting.map((one) => (one === queued ? kept : one)) : rest;
      } else {
        const ended = { ...delivery, attempts, fault: isDelivered ? null : fault, state, ended_at: now } as const;
        await webhookQueue.end(permit, queued, ended);
        waiting = rest;
      }
      sending = isDelivered ? afterSuccess(sending) : afterFailure(sending, now);
      const paused = answer === 410 ? 'gone' : isHopeless(sending, now) ? 'failing' : null;
      if (paused) await pause(permit, read, paused);
      const told = { id: delivery.id, kind: delivery.kind, attempts };
      tell({
        webhook: webhook.id,
        delivery: told,
        end: rested ? 'rests' : state,
        fault: isDelivered ? null : fault,
        paused,
      });
      if (paused) break;
    }
    return sending;
  };

  const sendTo = async (permit: Permit, read: ReadWebhook, tell: (sent: SentDelivery) => void): Promise<void> => {
    const { id, paused } = read.webhook;
    if (paused || !(await webhookQueue.hasWaiting(id))) return;
    const now = clock.now();
    const lease = await webhookQueue.lease(permit, id, now, later(now, WEBHOOK_LEASE_SECONDS));
    if (!lease) return;
    await webhookQueue.giveBack(permit, lease, await turn(permit, read, lease, tell));
  };

  return async function sendDeliveries(permit: Permit, tell: (sent: SentDelivery) => void): Promise<number> {
    while (await webhookQueue.spread(permit));
    let requests = 0;
    const count = (sent: SentDelivery): void => {
      requests += 1;
      tell(sent);
    };
    await Promise.all((await webhooks.list()).map((read) => sendTo(permit, read, count)));
    return requests;
  };
};

export type SendDeliveries = ReturnType<typeof sendDeliveries>;
