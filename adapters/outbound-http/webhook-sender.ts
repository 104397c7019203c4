import { Webhook } from 'standardwebhooks';
import type { WebhookSender } from '../../ports/outbound/webhooks.ts';
import { type GuardedFetchOptions, guardedFetch } from './guarded-fetch.ts';

const TIMEOUT_MS = 15_000;

/** Signs by HMAC-SHA256 (`v1`), each secret with its own signature. A redirect is an answer like any other. */
export const webhookSender = (options: GuardedFetchOptions = {}): WebhookSender => {
  const fetch = guardedFetch({ timeout: TIMEOUT_MS, ...options });
  return {
    async send({ url, id, timestamp, body, secrets }) {
      const at = new Date(timestamp);
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'account-service',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
      };
      return (await fetch(url, { method: 'POST', headers, body })).status;
    },
  };
};
