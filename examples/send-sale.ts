import { Webhook } from 'standardwebhooks';

/* Tells the account service of a sale: node examples/send-sale.ts ORDER EMAIL PRODUCT. Sending it twice does no harm. */

const { API_URL = 'http://127.0.0.1:8787', SHOP_WEBHOOK_SECRET = '' } = process.env;
const [order = '', email = '', product = ''] = process.argv.slice(2);
const now = new Date();
const at = now.toISOString();
const lines = [{ product, total_cents: 1900 }];
const data = {
  reference: order,
  buyer: { email },
  ordered_at: at,
  paid_at: at,
  currency: 'USD',
  total_cents: 1900,
  lines,
};
const body = JSON.stringify({ type: 'order', timestamp: at, data });
const id = `order-paid-${order}`;
const headers = {
  'content-type': 'application/json',
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
  'webhook-signature': new Webhook(SHOP_WEBHOOK_SECRET).sign(id, now, body),
};
const answer = await fetch(`${API_URL}/webhooks/shop`, { method: 'POST', headers, body });
process.stdout.write(`${answer.status} ${await answer.text()}\n`);
if (!answer.ok) process.exitCode = 1;
