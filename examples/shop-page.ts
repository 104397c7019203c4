import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Stripe } from 'stripe';

/*
 * A shop of one page with a buy button: npx node examples/shop-page.ts. Its second half stands in for Stripe: the
 * checkout page, and the event that Stripe sends once a payment is made. To sell for real, create the session with the
 * package `stripe`, give it `metadata.product` as here, and leave the second half out.
 */

const { API_URL = 'http://127.0.0.1:8787', ACCOUNT_URL = 'http://127.0.0.1:8790', PORT = '3000' } = process.env;
const { STRIPE_WEBHOOK_SECRET = '' } = process.env;
if (STRIPE_WEBHOOK_SECRET === '') {
  process.stderr.write('Set STRIPE_WEBHOOK_SECRET to the secret that the server has.\n');
  process.exit(1);
}
const PRODUCT = { slug: 'hashcheck', title: 'Hashcheck', price: 1900, currency: 'usd' };

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body { font: 1.1rem/1.6 system-ui; max-width: 32rem; margin: 4rem auto; padding: 0 1rem }
button { font: inherit; padding: .5rem 1.5rem }</style>
<h1>${title}</h1>${body}</html>`;

const app = express();
app.use(express.urlencoded({ extended: false, limit: '10kb' }));

app.get('/', (_request, response) => {
  const price = `$${(PRODUCT.price / 100).toFixed(2)}`;
  const button = `<form method="post" action="/buy"><button>Buy for ${price}</button></form>`;
  response.send(page(PRODUCT.title, `<p>Checks files against their sums. Yours for good.</p>${button}`));
});

app.post('/buy', (_request, response) => {
  // With Stripe: (await stripe.checkout.sessions.create({ mode: 'payment', metadata: { product }, … })).url
  response.redirect(303, createSession(PRODUCT));
});

app.get('/thanks', (_request, response) => {
  const link = `<a href="${ACCOUNT_URL}/sign-in">Sign in</a>`;
  response.send(page('Thank you', `<p>A mail with your download is on its way. ${link} with the same address.</p>`));
});

/* From here on, the stub of the provider. */

const open = new Map<string, typeof PRODUCT>();

function createSession(product: typeof PRODUCT): string {
  const id = `cs_stub_${randomUUID()}`;
  open.set(id, product);
  return `/stub/${id}`;
}

app.param('id', (_request, response, next, id: string) => {
  if (open.has(id)) next();
  else response.status(404).send(page('Not open', '<p>This checkout is paid, or was never there.</p>'));
});

app.get('/stub/:id', (request, response) => {
  const form = `<form method="post" action="${request.path}"><label>Email <input name="email" type="email" required></label>
<button>Pay</button></form>`;
  response.send(page('Checkout (a stub, no money moves)', form));
});

app.post('/stub/:id', async (request, response) => {
  const { id } = request.params;
  const email: unknown = request.body?.email;
  if (typeof email !== 'string' || email === '') {
    response.status(400).send(page('Not paid', '<p>Go back and give an email address.</p>'));
    return;
  }
  const product = open.get(id) as typeof PRODUCT;
  const now = Math.floor(Date.now() / 1000);
  const session = {
    id,
    object: 'checkout.session',
    mode: 'payment',
    created: now,
    payment_intent: id.replace('cs_', 'pi_'),
    payment_status: 'paid',
    payment_method_types: ['card'],
    amount_total: product.price,
    currency: product.currency,
    customer_details: { email, name: null },
    metadata: { product: product.slug },
  };
  const event = { id: `evt_${id}`, object: 'event', type: 'checkout.session.completed', created: now };
  const payload = JSON.stringify({ ...event, data: { object: session } });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: STRIPE_WEBHOOK_SECRET });
  const answer = await fetch(`${API_URL}/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  });
  const text = await answer.text();
  open.delete(id);
  process.stdout.write(`${answer.status} ${text}\n`);
  if (!/"state":"(?:done|waiting)"/.test(text)) {
    const why =
      '<p>The sale is not recorded. <code>npm run -s cli -- event list --refused</code> says why; mend it, then';
    response.status(502).send(page('Not recorded', `${why} buy again.</p>`));
    return;
  }
  response.redirect(303, '/thanks');
});

const server = app.listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error;
  process.stdout.write(`The shop is at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
