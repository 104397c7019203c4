import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { StretchRequest } from '../../domain/shared/paging.ts';
import { currentKey, privateKeyIn, type SigningKeyRing } from '../../domain/signing/signing-key-ring.ts';
import type { ListedDelivery } from '../../domain/webhooks/delivery.ts';
import { oneMoreWebhook, type Webhook, withNewSecret } from '../../domain/webhooks/webhook.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadWebhook } from '../../ports/outbound/webhooks.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { messageId } from './send-deliveries.ts';

export type WebhookInput = Pick<Webhook, 'url' | 'kinds'>;

/** A webhook as the shop sees it: its secrets only by their expiries. */
export type WebhookView = Omit<Webhook, 'secrets'> & {
  readonly secrets: readonly { readonly ends_at: string | null }[];
};

/** A webhook with a new secret, which is shown this once. */
export type SecretWebhook = WebhookView & { readonly secret: string };

/** A delivery with the id that its receiver sees. */
export type DeliveryView = Omit<ListedDelivery, 'record'> & { readonly message_id: string };

const viewOf = ({ secrets, ...webhook }: Webhook): WebhookView => ({
  ...webhook,
  secrets: secrets.map(({ ends_at }) => ({ ends_at })),
});

const deliveryView = ({ record: _, ...delivery }: ListedDelivery): DeliveryView => ({
  ...delivery,
  message_id: messageId(delivery),
});

/** A webhook by its id. */
export type OfWebhook = { readonly webhook_id: number };

type Missing = 'webhook_not_found';

const missing = (id: number) => refuse('webhook_not_found', { message: `There is no webhook ${id}.` });

const found = async ({ webhooks }: Needs<'webhooks'>, id: number): Promise<ReadWebhook | undefined> =>
  (await webhooks.list()).find(({ webhook }) => webhook.id === id);

type SealPorts = Needs<'clock' | 'licenseKeys' | 'secretBox'>;

/** A new secret, and its sealed form. */
const newSecret = async ({ clock, licenseKeys, secretBox }: SealPorts): Promise<{ secret: string; sealed: string }> => {
  const key = currentKey(await licenseKeys.current(), clock.now());
  if (!key)
    throw new Error('There is no signing key to encrypt the secret with; create one: signing-key create --use license');
  const secret = secretBox.mint();
  return { secret, sealed: secretBox.seal(key, secret) };
};

export const listWebhooks = ({ webhooks }: Needs<'webhooks'>) =>
  async function listWebhooks(): Promise<readonly WebhookView[]> {
    return (await webhooks.list()).map(({ webhook }) => viewOf(webhook));
  };

export const createWebhook = (ports: SealPorts & Needs<'ids' | 'webhooks'>) =>
  async function createWebhook(
    permit: Permit,
    { url, kinds }: Pick<WebhookInput, 'url'> & { readonly kinds: WebhookInput['kinds'] | null },
  ): Promise<Outcome<SecretWebhook, 'too_many_webhooks'>> {
    const { clock, ids, webhooks } = ports;
    const room = oneMoreWebhook((await webhooks.list()).length);
    if (!room.ok) return room;
    const { secret, sealed } = await newSecret(ports);
    const secrets = [{ sealed, ends_at: null }];
    const webhook: Webhook = {
      id: ids.next(),
      url,
      kinds: kinds ?? [],
      secrets,
      created_at: clock.now(),
      paused: null,
    };
    await webhooks.save(permit, webhook);
    // Others may have been created at once. A call that sees too many removes its own, so the limit holds.
    const listed = await webhooks.list();
    const own = listed.find((one) => one.webhook.id === webhook.id);
    const kept = oneMoreWebhook(listed.length - 1);
    if (!kept.ok && own && (await webhooks.remove(permit, own))) return kept;
    return ok({ ...viewOf(webhook), secret });
  };

/** Updates a webhook, based on its current state. */
const changing = (
  { webhooks, pauses }: Needs<'pauses' | 'webhooks'>,
  permit: Permit,
  id: number,
  change: (webhook: Webhook) => Webhook,
): Promise<Outcome<Webhook, Missing>> =>
  untilWritten(pauses, async () => {
    const read = await found({ webhooks }, id);
    if (!read) return missing(id);
    const after = change(read.webhook);
    return (await webhooks.save(permit, after, read)) ? ok(after) : CONFLICT;
  });

/** A field that is null stays as it is. */
export type WebhookChange = { readonly [N in keyof WebhookInput]: WebhookInput[N] | null } & {
  readonly paused: boolean | null;
};

/** Changes, pauses or continues a webhook. One that continues gets what was queued meanwhile. */
export const changeWebhook = ({
  clock,
  pauses,
  webhookQueue,
  webhooks,
}: Needs<'clock' | 'pauses' | 'webhookQueue' | 'webhooks'>) =>
  async function changeWebhook(
    permit: Permit,
    { webhook_id: id, ...input }: WebhookChange & OfWebhook,
  ): Promise<Outcome<WebhookView, Missing>> {
    const changed = await changing({ pauses, webhooks }, permit, id, (webhook) => ({
      ...webhook,
      url: input.url ?? webhook.url,
      kinds: input.kinds ?? webhook.kinds,
      ...(input.paused === false && { paused: null }),
      ...(input.paused && !webhook.paused && { paused: { at: clock.now(), reason: 'asked' as const } }),
    }));
    if (!changed.ok) return changed;
    if (input.url !== null || input.paused === false) await webhookQueue.wake(permit, id);
    return ok(viewOf(changed.value));
  };

/** Gives a webhook a new secret. The former one signs beside it for a day. */
export const rotateWebhookSecret = (ports: SealPorts & Needs<'pauses' | 'webhooks'>) =>
  async function rotateWebhookSecret(
    permit: Permit,
    { webhook_id: id }: OfWebhook,
  ): Promise<Outcome<SecretWebhook, Missing>> {
    const { secret, sealed } = await newSecret(ports);
    const now = ports.clock.now();
    const changed = await changing(ports, permit, id, (webhook) => withNewSecret(webhook, sealed, now));
    return changed.ok ? ok({ ...viewOf(changed.value), secret }) : changed;
  };

export const deleteWebhook = ({ pauses, webhooks }: Needs<'pauses' | 'webhooks'>) =>
  function deleteWebhook(
    permit: Permit,
    { webhook_id: id }: OfWebhook,
  ): Promise<Outcome<{ readonly id: number }, Missing>> {
    return untilWritten(pauses, async () => {
      const read = await found({ webhooks }, id);
      if (!read) return missing(id);
      return (await webhooks.remove(permit, read)) ? ok({ id }) : CONFLICT;
    });
  };

type QueuePorts = Needs<'webhookQueue' | 'webhooks'>;

/** The deliveries of a webhook, newest first. */
export const listDeliveries = ({ webhookQueue, webhooks }: QueuePorts) =>
  async function listDeliveries({
    webhook_id: id,
    limit,
    after,
  }: StretchRequest & OfWebhook): Promise<Outcome<readonly DeliveryView[], Missing>> {
    if (!(await found({ webhooks }, id))) return missing(id);
    const before = after === null ? null : Number(after);
    return ok((await webhookQueue.list(id, { limit, before })).map(deliveryView));
  };

const queuedView = (delivery: Omit<ListedDelivery, 'state' | 'ended_at'>): DeliveryView =>
  deliveryView({ ...delivery, state: 'waiting', ended_at: null });

/** Sends an event again with its id, at once and then as any other. */
export const resendDelivery = ({ webhookQueue, webhooks }: QueuePorts) =>
  async function resendDelivery(
    permit: Permit,
    { webhook_id: id, delivery_id }: OfWebhook & { readonly delivery_id: number },
  ): Promise<Outcome<DeliveryView, Missing | 'delivery_not_found'>> {
    if (!(await found({ webhooks }, id))) return missing(id);
    const delivery = await webhookQueue.renew(permit, id, delivery_id);
    if (delivery) return ok(queuedView(delivery));
    return refuse('delivery_not_found', {
      message: `Webhook ${id} has no delivery ${delivery_id} of the last 30 days.`,
    });
  };

/** Queues an event of the kind `ping`, which every webhook gets. */
export const pingWebhook = ({ webhookQueue, webhooks }: QueuePorts) =>
  async function pingWebhook(permit: Permit, { webhook_id: id }: OfWebhook): Promise<Outcome<DeliveryView, Missing>> {
    if (!(await found({ webhooks }, id))) return missing(id);
    const [delivery] = await webhookQueue.add(permit, id, [{ kind: 'ping', record: 'ping', data: { webhook_id: id } }]);
    return ok(queuedView(delivery as NonNullable<typeof delivery>));
  };

/** Encrypts the secrets again under a key of the ring, before the keys that encrypted them lose their private parts. */
export const resealWebhooks = async (
  { pauses, secretBox, webhooks }: Needs<'pauses' | 'secretBox' | 'webhooks'>,
  permit: Permit,
  ring: SigningKeyRing,
  kid = '',
): Promise<void> => {
  const key = privateKeyIn(ring, kid);
  if (!key) return;
  for (const { webhook } of await webhooks.list()) {
    await changing({ pauses, webhooks }, permit, webhook.id, ({ secrets, ...rest }) => ({
      ...rest,
      secrets: secrets.map(({ sealed, ends_at }) => {
        const secret = secretBox.open(ring, sealed);
        return { sealed: secret === undefined ? sealed : secretBox.seal(key, secret), ends_at };
      }),
    }));
  }
};
