import {
  changeWebhook,
  createWebhook,
  type DeliveryView,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  pingWebhook,
  resendDelivery,
  rotateWebhookSecret,
  type WebhookView,
} from '../../../../application/webhooks/webhooks.ts';
import { ok } from '../../../../domain/shared/outcome.ts';
import type { ListOrder } from '../../../../domain/shared/paging.ts';
import * as shopWebhooks from '../../../../ports/inbound/shop/webhooks.ts';
import { handling } from '../handling.ts';
import { BY_ID, idOf, page, read, write } from './answers.ts';

const NEWEST: ListOrder<DeliveryView> = { place: BY_ID.place, highestFirst: true };

/** Webhooks of the shop's own systems. */
export const shopWebhooksHandlers = handling(
  shopWebhooks,
  {
    listWebhooks,
    createWebhook,
    changeWebhook,
    deleteWebhook,
    rotateWebhookSecret,
    pingWebhook,
    listDeliveries,
    resendDelivery,
  },
  (use) => ({
    listWebhooks: async ({ query }) => ok(page<WebhookView>(query, BY_ID)(await use.listWebhooks())),
    createWebhook: async ({ body }) => write((permit) => use.createWebhook(permit, body)),
    changeWebhook: async ({ params, body }) => write((permit) => use.changeWebhook(permit, idOf(params.webhook), body)),
    deleteWebhook: async ({ params }) => write((permit) => use.deleteWebhook(permit, idOf(params.webhook))),
    rotateWebhookSecret: async ({ params }) => write((permit) => use.rotateWebhookSecret(permit, idOf(params.webhook))),
    pingWebhook: async ({ params }) => write((permit) => use.pingWebhook(permit, idOf(params.webhook))),
    listDeliveries: ({ params, query }) =>
      read(
        use.listDeliveries(idOf(params.webhook), {
          limit: query.limit + 1,
          before: query.after === null ? null : Number(query.after),
        }),
        page(query, NEWEST),
      ),
    resendDelivery: async ({ params }) =>
      write((permit) => use.resendDelivery(permit, idOf(params.webhook), idOf(params.delivery))),
  }),
);
