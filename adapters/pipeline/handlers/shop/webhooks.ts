import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  pingWebhook,
  resendDelivery,
  rotateWebhookSecret,
} from '../../../../application/webhooks/webhooks.ts';
import * as shopWebhooks from '../../../../ports/inbound/shop/webhooks.ts';
import { handling } from '../handling.ts';
import { BY_ID, NEWEST } from './answers.ts';
import { listing, writing } from './shop-handling.ts';

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
    listWebhooks: listing(use.listWebhooks, BY_ID),
    listDeliveries: listing(use.listDeliveries, NEWEST),
    createWebhook: writing(use.createWebhook),
    changeWebhook: writing(use.changeWebhook),
    deleteWebhook: writing(use.deleteWebhook),
    rotateWebhookSecret: writing(use.rotateWebhookSecret),
    pingWebhook: writing(use.pingWebhook),
    resendDelivery: writing(use.resendDelivery),
  }),
);
