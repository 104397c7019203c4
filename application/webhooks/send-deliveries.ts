import type { Permit } from '../../domain/access/permit.ts';
import { faultText } from '../../domain/mail/message.ts';
import { awaits, hasPassed, type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import {
  afterFailure,
  afterSuccess,
  type Delivery,
  isBusy,
  isHopeless,
  isRetriedLater,
  NOTHING_SENT,
  restsNow,
  retried,
  type Sending,
  WEBHOOK_LEASE_SECONDS,
  WEBHOOK_TURN_SECONDS,
} from '../../domain/webhooks/delivery.ts';
import { signingSecrets, type Webhook, type WebhookPause, wantsKind } from '../../domain/webhooks/webhook.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { QueuedDelivery, WebhookLease } from '../../ports/outbound/webhooks.ts';

type Ports = Needs<'clock' | 'licenseKeys' | 'pauses' | 'secretBox' | 'webhookQueue' | 'webhookSender' | 'webhooks'>;

/** The result of a turn: a line for the log. */
export type SentDelivery = {
  readonly webhook: number;
  readonly delivery: Pick<Delivery, 'id' | 'kind' | 'attempts'>;
  /** `rests`: it will be retried. `failed`: it was given up. */
  readonly end: 'delivered' | 'rests' | 'failed';
  readonly fault: string | null;
  /** The reason why the webhook is paused from now on. */
  readonly paused: WebhookPause['reason'] | null;
};

export type TellDelivery = (sent: SentDelivery) => void;

const later = (now: Instant, seconds: number): Instant => toInstant(millis(now) + seconds * 1000);

/** The body of an event, which is the same text in each attempt. */
const bodyOf = ({ kind, timestamp, data }: Pick<Delivery, 'kind' | 'timestamp' | 'data'>): string =>
  JSON.stringify({ type: kind, timestamp, data });

/** The id by which a receiver recognizes an event that arrives again. */
export const messageId = ({ id }: Pick<Delivery, 'id'>): string => `evt_${id}`;

/** The longest time for which a queue without a due delivery is not read again. */
const QUIET_SECONDS = 60;

/** The end of a delivery whose kind was taken off its webhook while it waited. */
const UNWANTED = 'The webhook no longer wants this kind.';

/**
 * Queues the events that were written, and sends what is due, to all webhooks at once and to each in turn. While one is
 * slow, the others are served on, for half a minute or until `goOn` returns false. A worker leases a webhook, so no two
 * send to it at the same time; the worker after one that died sends the delivery again, with the same id. Returns the
 * number of requests.
 */
export const sendDeliveries = (ports: Ports) => {
  const { clock, licenseKeys, pauses, secretBox, webhookQueue, webhookSender, webhooks } = ports;
  /** The queues in which this process found nothing due, as it saw them. */
  const quiet = new Map<number, { readonly seen: string; readonly until: Instant }>();

  const secretsOf = async (webhook: Webhook): Promise<string[]> => {
    const ring = await licenseKeys.current();
    const secrets = signingSecrets(webhook, clock.now()).map((sealed) => secretBox.open(ring, sealed));
    if (secrets.includes(undefined))
      throw new Error('The secret cannot be read with the keys of the store; rotate it.');
    return secrets as string[];
  };

  /** The status of the response, or the error that prevented it. */
  const post = async (webhook: Webhook, delivery: Delivery): Promise<number | string> => {
    try {
      const signed = { id: messageId(delivery), timestamp: clock.now(), body: bodyOf(delivery) };
      return await webhookSender.send({ url: webhook.url, ...signed, secrets: await secretsOf(webhook) });
    } catch (error) {
      return faultText(error instanceof Error ? error.message : String(error));
    }
  };

  /** The deliveries that are due. Each waits while an earlier one of its record does; `held` has those records. */
  async function* dueOf(webhook_id: number, held = new Set<string>()): AsyncGenerator<QueuedDelivery> {
    for await (const queued of webhookQueue.waiting(webhook_id)) {
      const { record } = queued.delivery;
      if (held.has(record)) continue;
      if (isRetriedLater(queued.delivery, clock.now())) held.add(record);
      else yield queued;
    }
  }

  /**
   * False if nothing is due: the webhook rests, its queue is empty, or each record waits for a retry. The last takes a
   * read of all deliveries, and holds until the first retry, at most a minute, unless the queue changes.
   */
  const hasDue = async (webhook_id: number): Promise<boolean> => {
    const now = clock.now();
    const { sending, newest, version } = await webhookQueue.glance(webhook_id);
    if (newest === null || isBusy(sending, now)) return false;
    const seen = `${newest} ${version}`;
    const known = quiet.get(webhook_id);
    if (known?.seen === seen && awaits(known.until, now)) return false;
    const retries = new Map<string, Instant>();
    for await (const { delivery } of webhookQueue.waiting(webhook_id)) {
      if (retries.has(delivery.record)) continue;
      if (!isRetriedLater(delivery, now)) return true;
      retries.set(delivery.record, delivery.due_at);
    }
    quiet.set(webhook_id, { seen, until: [...retries.values(), later(now, QUIET_SECONDS)].sort()[0] as Instant });
    return false;
  };

  /** Sends what is due to a leased webhook; returns how the sending stands then. */
  const turn = async (
    permit: Permit,
    lease: WebhookLease,
    tell: TellDelivery,
    isOver: () => boolean,
  ): Promise<Sending> => {
    const held = new Set<string>();
    let sending: Sending = lease.sending;
    for await (const queued of dueOf(lease.webhook_id, held)) {
      if (isOver() || restsNow(sending, clock.now())) break;
      const read = await webhookQueue.webhookOf(queued);
      if (!read || read.webhook.paused) break;
      const { webhook } = read;
      const { delivery } = queued;
      const { id, kind, record } = delivery;
      const isWanted = wantsKind(webhook, kind);
      const answer = isWanted ? await post(webhook, delivery) : UNWANTED;
      const now = clock.now();
      const isDelivered = typeof answer === 'number' && answer >= 200 && answer < 300;
      const fault = isDelivered ? null : typeof answer === 'number' ? `The answer has status ${answer}.` : answer;
      const rested = fault === null || !isWanted ? null : retried(delivery, fault, now);
      const attempts = delivery.attempts + 1;
      const state = isDelivered ? 'delivered' : 'failed';
      if (rested) {
        held.add(record);
        await webhookQueue.keep(permit, queued, rested);
      } else await webhookQueue.end(permit, queued, { ...delivery, attempts, fault, state, ended_at: now });
      if (!isWanted) continue;
      sending = isDelivered ? afterSuccess(sending) : afterFailure(sending, now);
      const paused = answer === 410 ? 'gone' : isHopeless(sending, now) ? 'failing' : null;
      // Not written if the shop has changed the webhook meanwhile.
      if (paused) await webhooks.save(permit, { ...webhook, paused: { at: now, reason: paused } }, read);
      tell({ webhook: webhook.id, delivery: { id, kind, attempts }, end: rested ? 'rests' : state, fault, paused });
      if (paused) return NOTHING_SENT;
    }
    return sending;
  };

  const sendTo = async (
    permit: Permit,
    webhook_id: number,
    tell: TellDelivery,
    isOver: () => boolean,
  ): Promise<void> => {
    if (!(await hasDue(webhook_id))) return;
    const now = clock.now();
    const lease = await webhookQueue.lease(permit, webhook_id, now, later(now, WEBHOOK_LEASE_SECONDS));
    if (lease) await webhookQueue.giveBack(permit, lease, await turn(permit, lease, tell, isOver));
  };

  return async function sendDeliveries(permit: Permit, tell: TellDelivery, goOn = () => true): Promise<number> {
    const end = later(clock.now(), WEBHOOK_TURN_SECONDS);
    const isOver = (): boolean => hasPassed(end, clock.now()) || !goOn();
    const turns = new Map<number, Promise<unknown>>();
    const faults: unknown[] = [];
    let requests = 0;
    const count = (sent: SentDelivery): void => {
      requests += 1;
      tell(sent);
    };
    do {
      while (await webhookQueue.spread(permit));
      for (const { webhook } of await webhooks.list()) {
        const { id, paused } = webhook;
        if (paused || turns.has(id)) continue;
        const sent = sendTo(permit, id, count, isOver).catch((fault) => faults.push(fault));
        turns.set(
          id,
          sent.finally(() => turns.delete(id)),
        );
      }
      if (turns.size > 0) await Promise.race([Promise.all(turns.values()), pauses.until(later(clock.now(), 1))]);
    } while (turns.size > 0 && !isOver());
    await Promise.all(turns.values());
    if (faults.length > 0) throw faults[0];
    return requests;
  };
};

export type SendDeliveries = ReturnType<typeof sendDeliveries>;
