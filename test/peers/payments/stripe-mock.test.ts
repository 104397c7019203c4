import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { stripe } from '../../../adapters/payments/stripe.ts';
import type { Meaning } from '../../../domain/sales/payment-event.ts';
import { goProgram, installGo, LANGUAGES_TIMEOUT } from '../../clients/harness.ts';
import { freePort } from '../../support/free-port.ts';
import { stripeEvent, stripeInvoice, stripeSession } from '../../support/payment-bodies.ts';

/** Stripe's own server, which answers each API request with a fixture from the published document. */
const PACKAGE = 'github.com/stripe/stripe-mock@v0.203.0';
const GOBIN = join(import.meta.dirname, '..', 'node_modules', '.cache', 'go');
const PROGRAM = join(GOBIN, 'stripe-mock');

describe('Stripe’s own mock server', () => {
  let server: ChildProcess;
  let options: { readonly host: string; readonly port: number; readonly protocol: 'http' };

  beforeAll(async () => {
    if (!existsSync(PROGRAM)) {
      await installGo();
      await promisify(execFile)(goProgram, ['install', PACKAGE], { env: { ...process.env, GOBIN } });
    }
    options = { host: '127.0.0.1', port: await freePort(), protocol: 'http' };
    server = spawn(PROGRAM, ['-http-addr', `127.0.0.1:${options.port}`], { stdio: 'ignore' });
    await vi.waitFor(() => fetch(`http://127.0.0.1:${options.port}/`), { timeout: 30_000, interval: 100 });
  }, LANGUAGES_TIMEOUT);
  afterAll(async () => {
    server.kill();
    await once(server, 'exit');
  });

  test('stripe-mock answers each request of the sync, and its objects are read like those of events', async () => {
    const provider = stripe(['whsec_first'], 'sk_test_123', options);
    const kinds: string[] = [];
    const understood: string[] = [];
    for await (const { stage, body } of provider.source?.objects(null) ?? []) {
      const { type } = JSON.parse(body) as { type: string };
      kinds.push(`${stage} ${type}`);
      const whole = (await provider.source?.complete?.(body)?.()) ?? body;
      const find = async (): Promise<Meaning> => ({ buyer: { email: 'ada@example.com', name: null, locale: null } });
      const told = await provider.tell(whole, find);
      understood.push(`${type} ${told.ok ? 'understood' : (told.message ?? told.code)}`);
    }
    expect([...new Set(kinds)]).toEqual([
      'Customers customer.updated',
      'Orders invoice.paid',
      'Orders checkout.session.completed',
      'Subscriptions customer.subscription.updated',
      'Refunds refund.updated',
      'Refunds charge.dispute.updated',
    ]);
    expect(understood.filter((one) => !/ (?:understood|name_unknown)$/.test(one))).toEqual([]);
  });

  test('stripe-mock accepts the worker’s requests: lines of a session and of an invoice, a customer, the invoice of a payment', async () => {
    const { source } = stripe(['whsec_first'], 'sk_test_123', options);
    const bare = JSON.stringify(stripeEvent('checkout.session.completed', stripeSession()));
    const long = JSON.stringify(stripeEvent('invoice.paid', stripeInvoice({ lines: { has_more: true, data: [] } })));
    for (const [body, list] of [
      [bare, 'line_items'],
      [long, 'lines'],
    ] as const) {
      const whole = JSON.parse((await source?.complete?.(body)?.()) ?? '{}');
      expect(whole.data.object[list].data.length).toBeGreaterThan(0);
    }
    expect(await source?.meaning?.('pi_1')).toEqual({ order_reference: 'invoice' });
    const customer = await source?.meaning?.('cus_1');
    expect(customer === undefined || 'buyer' in customer).toBe(true);
  });

  test('stripe-mock refuses an invalid key, which is reported in words', async () => {
    const { source } = stripe(['whsec_first'], 'no-key-of-stripe', options);
    await expect(source?.meaning?.('cus_1')).rejects.toThrow(
      'Stripe refuses the key in STRIPE_API_KEY; make a new one there.',
    );
  });
});
