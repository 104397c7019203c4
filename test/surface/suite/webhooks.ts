import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_EVENT_BYTES } from '../../../domain/sales/payment-event.ts';
import { SIGNERS, shopEvent, shopOrder, stripeEvent, stripeSession } from '../../support/payment-bodies.ts';
import { type Reply, send } from '../client.ts';
import type { Mount, OpenMount } from '../mount.ts';
import { openShop } from '../shop.ts';

type Name = keyof typeof SIGNERS;

/** Tests the route of payment providers' events. Their contents and the recording of sales have their own tests. */
export const webhooksSuite = (open: OpenMount): void => {
  let mount: Mount;
  beforeAll(async () => {
    const { stripe, shop } = SIGNERS;
    mount = await open({ webhookSecrets: { stripe: [stripe.otherSecret, stripe.secret], shop: [shop.secret] } });
    await openShop(mount.service);
  });
  afterAll(() => mount.close());

  const post = (path: string, text: string, headers: Readonly<Record<string, string>>): Promise<Reply> =>
    send(mount, 'POST', path, { text, headers: { 'content-type': 'application/json', ...headers } });

  const deliver = (name: Name, event: object, now = Date.now()): Promise<Reply> => {
    const text = JSON.stringify(event);
    const id = createHash('sha256').update(text).digest('hex');
    return post(`/webhooks/${name}`, text, SIGNERS[name].sign(text, now, undefined, id));
  };

  const states = async (id: string): Promise<string[]> => {
    const listed = await mount.service.get('listEvents')({ only: null, limit: 1000 });
    return listed.filter((event) => event.id === id).map(({ state }) => state);
  };

  const product = 'tool';

  describe('POST /webhooks/{provider}', () => {
    test('a signed event that concerns no sale is 200 and stored', async () => {
      const event = stripeEvent('product.created', { id: 'prod_1', name: '에이다' }, { id: 'evt_ignored' });
      const reply = await deliver('stripe', event);
      expect([reply.status, reply.body]).toEqual([200, { state: 'ignored' }]);
      expect(reply.headers.get('cache-control')).toBe('private, no-store');
      expect(await states('evt_ignored')).toEqual(['ignored']);
    });

    test('the same order sent four times at once is one order', async () => {
      const order = shopOrder({ reference: 'at-once', lines: [{ product, total_cents: 19_000 }] });
      const event = shopEvent('order', order);
      const replies = await Promise.all(Array.from({ length: 4 }, () => deliver('shop', event)));
      expect(replies.map(({ status, body }) => [status, body])).toEqual(Array(4).fill([200, { state: 'done' }]));
      const account = await mount.service.get('accounts').findByEmail('ada@example.com');
      expect(await mount.service.get('storedOrders').ofAccount(account?.id ?? 0)).toHaveLength(1);
    });

    test.each([
      [
        'a foreign price',
        shopOrder({ reference: 'foreign', lines: [{ price: 'price_foreign', total_cents: 19_000 }] }),
      ],
      [
        'an unknown currency',
        shopOrder({ reference: 'unknown', currency: 'ZZZ', lines: [{ product, total_cents: 19_000 }] }),
      ],
      [
        'a buyer without an address',
        shopOrder({ reference: 'nobody', buyer: { email: '' }, lines: [{ product, total_cents: 19_000 }] }),
      ],
      ['facts that are not as documented', shopOrder({ reference: 'wrong', lines: [] })],
    ])('an order with %s is 200 and stored as refused, because repeating it changes nothing', async (_, order) => {
      const reply = await deliver('shop', shopEvent('order', order));
      expect([reply.status, reply.body]).toEqual([200, { state: 'refused' }]);
    });

    test('a wrong signature, a changed body and an old event are 400 with the reason and leave nothing behind', async () => {
      const event = stripeEvent('checkout.session.completed', stripeSession(), { id: 'evt_untrusted' });
      const text = JSON.stringify(event);
      const { sign } = SIGNERS.stripe;
      const wrong = await post('/webhooks/stripe', text, sign(text, Date.now(), 'whsec_wrong'));
      const changed = await post('/webhooks/stripe', text.replace('4900', '1'), sign(text));
      for (const { status, body } of [wrong, changed, await post('/webhooks/stripe', text, {})]) {
        expect(status).toBe(400);
        expect(['webhook_signature_invalid', 'webhook_too_old']).toContain(body.error);
      }
      expect(wrong.body).toEqual({
        error: 'webhook_signature_invalid',
        message: 'The signature matches none of this provider’s secrets; sign the exact bytes of the body.',
      });
      const old = await deliver('stripe', event, Date.now() - 360_000);
      expect([old.status, old.body.error]).toEqual([400, 'webhook_too_old']);
      expect(await states('evt_untrusted')).toEqual([]);
    });

    test('an event of 1 MB of JSON is 413, and the largest allowed body is read', async () => {
      const padded = (bytes: number) => {
        const event = stripeEvent('product.created', { id: '' });
        return { ...event, padding: ' '.repeat(bytes - JSON.stringify({ ...event, padding: '' }).length) };
      };
      expect((await deliver('stripe', padded(1_000_000))).status).toBe(413);
      expect((await deliver('stripe', padded(MAX_EVENT_BYTES + 1))).status).toBe(413);
      expect((await deliver('stripe', padded(MAX_EVENT_BYTES))).status).toBe(200);
    });

    test('no other host accepts an event, whatever its path', async () => {
      for (const host of ['shop', 'app', 'design'] as const) {
        const answer = await fetch(`${mount.urls[host]}/webhooks/stripe`, { method: 'POST', body: '{}' });
        // The console shows a webhook there, and takes no POST.
        expect(host === 'shop' ? [404, 405] : [404]).toContain(answer.status);
      }
    });

    test('an unconfigured provider is 404, and another method 405', async () => {
      for (const name of ['paddle', 'constructor', '%zz']) {
        expect((await post(`/webhooks/${name}`, '{}', {})).status).toBe(404);
      }
      const read = await send(mount, 'GET', '/webhooks/stripe');
      expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
    });
  });
};
