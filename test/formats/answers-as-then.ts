import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compactVerify, importJWK } from 'jose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { serverOf } from '../aws/migration/server-of.ts';
import { PRODUCT, pollDevice, refreshed } from '../aws/migration/shop.ts';
import { hiddenFields, PageBrowser } from '../support/page-browser.ts';
import { SIGNERS, shopEvent } from '../support/payment-bodies.ts';
import { RUNS } from '../surface/captures.ts';
import { get, post, send } from '../surface/client.ts';
import { callTool } from '../surface/mcp-message.ts';
import type { Mount } from '../surface/mount.ts';
import type { Known } from './old-stores.ts';

const MOMENT = '2026-11-22T08:00:00.000Z';
const PAGES = ['/library', '/orders', '/devices', '/support', '/security', '/profile', '/keys', '/apps'];
const READS = ['library', 'orders', 'invoices', 'subscriptions', 'payment-methods', `products/${PRODUCT}/license`];

/** Registers the tests that a current server serves an old store as the old version did. */
export const answersAsThen = (env: () => Readonly<Record<string, string>>, known: Known): void => {
  let mount: Mount;
  let browser: PageBrowser;
  beforeAll(async () => {
    mount = await serverOf({ SHOP_PORT: '0', MAIL: 'outbox', SHOP_WEBHOOK_SECRET: SIGNERS.shop.secret, ...env() });
    browser = new PageBrowser(mount.urls.account);
    for (const [name, value] of Object.entries(known.browser)) browser.jar.set(name, value);
  });
  afterAll(async () => {
    await mount?.close();
    expect(mount?.faults).toEqual([]);
  });

  const check = (device_id: string) => post(mount, '/api/license/check', known.key, { product_id: PRODUCT, device_id });

  test('each device that had a slot keeps it, and another one is refused', async () => {
    for (const device_id of known.device_ids) expect((await check(device_id)).status).toBe(200);
    expect((await check('a-fourth')).status).toBe(409);
  });

  test.each(READS)('the API key reads %s', async (path) => {
    expect((await get(mount, `/api/${path}`, known.key)).status).toBe(200);
  });

  test.each(PAGES)('the browser that was signed in sees the page %s', async (path) => {
    expect((await browser.get(path)).status).toBe(200);
  });

  test('a password signs in, with an address as that version stored it', async () => {
    const { email, password } = known.grace;
    expect(await new PageBrowser(mount.urls.account).signIn(email, password, '/library')).toMatchObject({
      status: 303,
      location: '/library',
    });
  });

  test('the published key verifies a license token', async () => {
    expect(mount.licenseKey).toEqual(known.license.publicKey);
    const verifier = await importJWK(mount.licenseKey, 'EdDSA');
    await expect(compactVerify(known.license.token, verifier)).resolves.toBeDefined();
  });

  test('an application refreshes its tokens and calls the account MCP', async () => {
    const { access_token } = await refreshed(mount, known.app);
    const { body } = await callTool(mount, access_token, 'list_library');
    expect(body.result.structuredContent).toMatchObject({ items: expect.any(Array) });
  });

  test('a waiting device can be approved', async () => {
    const { device_code, user_code } = known.waiting;
    const found = await browser.submit(`/device?user_code=${user_code}`, '/device', { user_code });
    const fields = { decision: 'approve', device_name: 'Laptop' };
    await browser.post('/device/decide', { ...hiddenFields(found.body, '/device/decide'), ...fields });
    expect((await pollDevice(mount, device_code)).status).toBe(200);
  });

  test('an agent continues its run', async () => {
    const { key, run } = known.agent;
    expect((await post(mount, `${RUNS}/${run}/submit`, key)).status).toBe(200);
    const state = async () => (await get(mount, `${RUNS}/${run}`, key)).body.run.state;
    await vi.waitFor(async () => expect(await state()).toBe('replayed'), { timeout: 60_000, interval: 200 });
  });

  // The oldest version had no webhooks and sent no mail.
  const { sale } = known;
  if (sale === null) return;

  test('waiting messages are sent', async () => {
    const messages = mount.service.get('messages');
    await vi.waitFor(async () => expect(await messages.waiting(100)).toEqual([]), { timeout: 30_000 });
    expect(await messages.failed(100)).toEqual([]);
    expect(readdirSync(join(env()['DATA_DIR'] ?? '', 'outbox')).length).toBeGreaterThan(0);
  });

  test('a repeated sale changes nothing, and its refund revokes the access', async () => {
    const deliver = async (id: string, event: object) => {
      const text = JSON.stringify(event);
      const headers = { 'content-type': 'application/json', ...SIGNERS.shop.sign(text, Date.now(), undefined, id) };
      return (await send(mount, 'POST', '/webhooks/shop', { text, headers })).body;
    };
    const account = (await mount.service.get('accounts').findByEmail('ada@example.com'))?.id ?? 0;
    const records = async () => [
      await mount.service.get('storedOrders').ofAccount(account),
      await mount.service.get('storedLicenses').held(account),
    ];
    const before = await records();
    for (const id of [sale.id, 'again']) {
      expect(await deliver(id, sale.event)).toMatchObject({ state: 'done' });
    }
    expect(await records()).toEqual(before);
    const data = { reference: 'refund-1', order_reference: 'order-1', refunded_at: MOMENT };
    expect(await deliver('refund', shopEvent('refund', data))).toMatchObject({ state: 'done' });
    expect(await records()).toMatchObject([[{ status: 'refunded' }], { entitlements: [{ revoked_at: MOMENT }] }]);
  });
};
