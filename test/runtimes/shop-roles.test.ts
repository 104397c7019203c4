import { tmpdir } from 'node:os';
import { beforeEach, describe, expect, test } from 'vitest';
import type { HostFunction } from '../../adapters/host/host.ts';
import { SpoolFolder } from '../../adapters/host/spool.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { openHost } from '../../runtimes/composition/hosts.ts';
import { anAccount } from '../support/account-builders.ts';
import { put } from '../support/contents.ts';
import { aMailer, MAILING, sendAll } from '../support/mail.ts';
import { memoryEngines, SETTINGS } from '../support/memory-engines.ts';
import { memoryService } from '../support/service.ts';
import { anAgent } from '../surface/agents.ts';

/* A role's power is what it can gain: no answer of the shop host gives its caller more rights than its role has. */

const EMAIL = 'buyer-1@example.com';

/** A service's shop host, to which a token with a role sends JSON. */
const shopOf = async (service: Service) => {
  const options = { log: () => {}, fault: (error: unknown) => expect.fail(String(error)), health: async () => {} };
  const host: HostFunction = openHost('shop', {
    service,
    urls: SETTINGS.urls,
    options,
    spool: new SpoolFolder(tmpdir()),
  });
  const keys = { support: '', orders: '', everything: '' };
  for (const role of ['support', 'orders', 'everything'] as const) keys[role] = (await anAgent(service, role)).key;
  return async (role: keyof typeof keys, path: string, json: object = {}) => {
    const bytes = Buffer.from(JSON.stringify(json));
    const { status, body } = await host.handle({
      method: 'POST',
      path: `/api/shop/accounts/1/${path}`,
      query: '',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${keys[role]}` },
      address: () => '203.0.113.7',
      length: bytes.length,
      body: () => bytes,
    });
    return { status, body: JSON.parse(String(body)) };
  };
};

describe('roles on the shop host', () => {
  let mailer: ReturnType<typeof aMailer>;
  let service: Service;
  let post: Awaited<ReturnType<typeof shopOf>>;
  beforeEach(async () => {
    mailer = aMailer();
    service = memoryService({ mailer }, memoryEngines(), MAILING);
    await put(service, { accounts: [anAccount({ id: 1, email: EMAIL })] });
    post = await shopOf(service);
  });

  test('a sign-in link that support requests is mailed to the owner, and support only sees that it was sent', async () => {
    const { status, body } = await post('support', 'sign-in-links');
    expect([status, body]).toEqual([201, { url: null, expires_at: null, mailed_to: EMAIL }]);
    expect(await sendAll(service)).toEqual(['sent']);
    expect(mailer.sent).toMatchObject([{ to: EMAIL, text: expect.stringContaining('/sign-in/link?code=') }]);
    const entries = await service.get('listAudit')({
      ...{ product: null, action: 'account.link_mailed', subject: null, since: null, until: null, by: null },
      account_id: 1,
      limit: 9,
    });
    expect(JSON.stringify(entries)).toMatch(/"name":"support agent"/);
  });

  test('a sign-in link that a token with the role everything requests is shown and not mailed', async () => {
    const { body } = await post('everything', 'sign-in-links');
    expect(body).toEqual({ url: expect.stringContaining('code='), expires_at: expect.any(String), mailed_to: null });
    expect(await sendAll(service)).toEqual([]);
  });

  test('support gets no link if no mail is sent or nobody can sign in', async () => {
    await put(service, { accounts: [anAccount({ id: 1, email: EMAIL, suspended_at: '2026-11-01T00:00:00.000Z' })] });
    expect((await post('support', 'sign-in-links')).body.reason).toBe('account_suspended');
    const silent = await shopOf(memoryService());
    expect((await silent('support', 'sign-in-links')).body).toMatchObject({
      error: 'shop_refused',
      reason: 'mail_off',
    });
  });

  test('support gets no key that could do more than support', async () => {
    for (const ability of ['orders.read', 'subscriptions.read']) {
      const { status, body } = await post('support', 'keys', { name: 'k', abilities: ['products.read', ability] });
      expect([status, body.reason]).toEqual([409, 'role_lacks_ability']);
      expect(body.message).toContain(ability);
    }
    expect((await post('support', 'keys', { name: 'k', abilities: ['products.read', 'mcp.read'] })).status).toBe(201);
    expect((await post('support', 'keys', { name: 'default' })).status).toBe(201);
    expect((await post('everything', 'keys', { name: 'k', abilities: ['orders.read'] })).status).toBe(201);
    expect((await post('orders', 'keys', { name: 'k' })).status).toBe(403);
  });
});
