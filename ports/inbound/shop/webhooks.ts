import * as z from 'zod';
import { DELIVERY_STATES } from '../../../domain/webhooks/delivery.ts';
import { KIND_PATTERNS } from '../../../domain/webhooks/webhook.ts';
import { component, dateTime, id, nullableText, once } from '../answers.ts';
import { laxBoolean, orNull, pathId, queryStretch } from '../fields.ts';
import { list, moment } from './records.ts';
import { MADE, shopEndpoints } from './terms.ts';

const shop = shopEndpoints('everything');
const params = () => z.object({ webhook: pathId('id of the webhook') });

const data = once(() =>
  component('ShopWebhookData', {
    id,
    url: z.string(),
    kinds: z.array(z.string()),
    secrets: z.array(z.object({ ends_at: moment })).describe('one, or two while a former one signs too'),
    created_at: dateTime,
    paused: z.object({ at: dateTime, reason: z.enum(['asked', 'failing', 'gone']) }).nullable(),
  }),
);

const withSecret = once(() => data().extend({ secret: z.string().describe('the signing secret, shown this once') }));

const deliveryData = once(() =>
  component('ShopDeliveryData', {
    id,
    message_id: z.string().describe('the `webhook-id` of its requests'),
    kind: z.string(),
    timestamp: dateTime,
    data: z.looseObject({}),
    queued_at: dateTime,
    state: z.enum(DELIVERY_STATES),
    attempts: z.int(),
    due_at: dateTime,
    ended_at: moment,
    fault: nullableText,
  }),
);

const url = once(() =>
  z
    .url({ protocol: /^https$/, error: 'must be an https address.' })
    .max(2000)
    .refine((text) => !/^https:\/\/[^/?#]*@/.test(text), 'must have no user and no password.'),
);

const kinds = once(() =>
  z
    .array(z.enum(KIND_PATTERNS as [string, ...string[]]))
    .max(KIND_PATTERNS.length)
    .meta({ description: 'the kinds of events, or areas such as `sale.*`; every kind if it is empty' }),
);

export const listWebhooks = shop({
  id: 'listWebhooks',
  path: '/api/shop/webhooks',
  query: () => z.object(queryStretch('id')),
  answer: () => list(data()),
  tool: { name: 'shop_list_webhooks', effect: 'reads' },
});

export const createWebhook = shop({
  id: 'createWebhook',
  method: 'POST',
  path: '/api/shop/webhooks',
  body: () => component('ShopWebhookBody', { url: url(), kinds: orNull(kinds()) }),
  answer: withSecret,
  output: MADE,
  tool: { name: 'shop_create_webhook', effect: 'adds' },
});

export const changeWebhook = shop({
  id: 'changeWebhook',
  method: 'POST',
  path: '/api/shop/webhooks/{webhook}/changes',
  params,
  body: () =>
    component('ShopWebhookChange', {
      url: orNull(url()),
      kinds: orNull(kinds()),
      paused: orNull(laxBoolean).meta({ description: 'false continues, and sends what was queued meanwhile' }),
    }),
  answer: data,
  tool: { name: 'shop_change_webhook', effect: 'replaces' },
});

export const deleteWebhook = shop({
  id: 'deleteWebhook',
  method: 'POST',
  path: '/api/shop/webhooks/{webhook}/deletion',
  params,
  answer: () => z.object({ id }),
  tool: { name: 'shop_delete_webhook', effect: 'destroys' },
});

export const rotateWebhookSecret = shop({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/shop/webhooks/{webhook}/secret',
  params,
  answer: withSecret,
  tool: { name: 'shop_rotate_webhook_secret', effect: 'replaces' },
});

export const pingWebhook = shop({
  id: 'pingWebhook',
  method: 'POST',
  path: '/api/shop/webhooks/{webhook}/ping',
  params,
  answer: deliveryData,
  output: MADE,
  tool: { name: 'shop_ping_webhook', effect: 'adds' },
});

export const listDeliveries = shop({
  id: 'listDeliveries',
  path: '/api/shop/webhooks/{webhook}/deliveries',
  params,
  query: () => z.object(queryStretch('id')),
  answer: () => list(deliveryData()),
  tool: { name: 'shop_list_deliveries', effect: 'reads' },
});

export const resendDelivery = shop({
  id: 'resendDelivery',
  method: 'POST',
  path: '/api/shop/webhooks/{webhook}/deliveries/{delivery}/sending',
  params: () => params().extend({ delivery: pathId('id of the delivery') }),
  answer: deliveryData,
  tool: { name: 'shop_resend_delivery', effect: 'adds' },
});
