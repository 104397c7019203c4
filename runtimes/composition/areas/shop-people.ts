import { shopPeopleHandlers } from '../../../adapters/pipeline/handlers/shop/people.ts';
import { shopWebhooksHandlers } from '../../../adapters/pipeline/handlers/shop/webhooks.ts';

/** The people who run the shop, and their tokens. */
export const shopPeople = shopPeopleHandlers;

export const shopWebhooks = shopWebhooksHandlers;
