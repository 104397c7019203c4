import { hash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/* Tells the account service of a sale: npx node examples/send-sale.ts ORDER EMAIL PRODUCT [PRICE]. Twice does no harm. */

const fail = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
};
const { API_URL = 'http://127.0.0.1:8787', SHOP_WEBHOOK_SECRET } = process.env;
if (!SHOP_WEBHOOK_SECRET) fail('Set SHOP_WEBHOOK_SECRET to the secret that the server has.');
const [order = '', email = '', product = '', price] = process.argv.slice(2);
const now = new Date();
const at = now.toISOString();
// A price belongs to a product, which may have several.
const lines = [{ ...(price === undefined ? { product } : { price }), total_cents: 1900 }];
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
// The same sale has the same id, and a corrected one its own; what had an id before is not read again.
const id = hash('sha256', [order, email, product, ...(price === undefined ? [] : [price])].join('\n'));
const headers = {
  'content-type': 'application/json',
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
  'webhook-signature': new Webhook(SHOP_WEBHOOK_SECRET as string).sign(id, now, body),
};
const answer = await fetch(`${API_URL}/webhooks/shop`, { method: 'POST', headers, body });
const text = await answer.text();
process.stdout.write(`${answer.status} ${text}\n`);
if (!/"state":"(?:done|waiting)"/.test(text)) fail('No sale is recorded; event list --refused may say why.');
