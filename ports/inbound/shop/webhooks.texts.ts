import { inGroup } from '../documented.ts';

export const shopWebhooksTexts = inGroup('Shop', {
  listWebhooks: {
    summary: 'List webhooks',
    description: 'The URLs that receive changes, oldest first. `paused` says why one gets nothing.',
    tool: { description: 'The URLs of the shop’s own systems that receive changes.' },
  },
  createWebhook: {
    summary: 'Create a webhook',
    description:
      'Each change of its kinds is posted to the address, signed as Standard Webhooks. Changes of the first half minute may be left out.',
    tool: { description: 'Ask the person for the address. The secret is shown once; give it to nobody else.' },
    bodyExample: { url: 'https://example.com/webhooks', kinds: ['sale.*', 'ticket.opened'] },
  },
  changeWebhook: {
    summary: 'Change, pause or continue a webhook',
    description: 'A field that is left out stays. While a webhook is paused, its events are queued for 30 days.',
    tool: { description: 'Changes the address or the kinds, pauses a webhook, or lets it continue.' },
    bodyExample: { kinds: ['sale.*'], paused: false },
  },
  deleteWebhook: {
    summary: 'Delete a webhook',
    description: 'Deletes a webhook. Events that wait for it are never sent.',
    tool: { description: 'Events that wait for it are lost.' },
  },
  rotateWebhookSecret: {
    summary: 'Replace the secret of a webhook',
    description: 'Returns a new secret, once. Requests are signed by both secrets for a day.',
    tool: { description: 'The receiver must get the new secret within a day.' },
  },
  pingWebhook: {
    summary: 'Send a test event',
    description: 'Queues an event of the kind `ping`, whatever the kinds of the webhook.',
    tool: { description: 'Look at the deliveries afterwards for its result.' },
  },
  listDeliveries: {
    summary: 'List the deliveries of a webhook',
    description: 'The events that wait, and those that were delivered or given up in the last 30 days, newest first.',
    tool: { description: 'Shows what was sent and the fault of the last attempt.' },
  },
  resendDelivery: {
    summary: 'Send a delivery again',
    description: 'Sends an event again with its id, at once, and again for three days if that fails.',
    tool: { description: 'The receiver gets the event again.' },
  },
});
