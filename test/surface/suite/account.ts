import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEVICE_KEY_ABILITIES } from '../../../domain/access/abilities.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { authorizationUrl, letIn } from '../../support/let-in.ts';
import { hiddenFields, PageBrowser } from '../../support/page-browser.ts';
import { aBuyer, type Buyer } from '../buyers.ts';
import { get, post } from '../client.ts';
import { callTool, tell } from '../mcp-message.ts';
import type { Mount } from '../mount.ts';
import { TOOL } from '../shop.ts';

const REDIRECT = 'http://127.0.0.1:33418/callback';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Tests the account host: its pages, the authorization server, and the sign-in of devices. */
export const accountSuite = (mount: () => Mount): void => {
  let buyer: Buyer;
  let browser: PageBrowser;

  /** Signs the buyer in by a one-time link, which needs no password. */
  const signIn = async (): Promise<void> => {
    const made = await mount().service.get('createSignInLink')(grantPermit(), buyer.account);
    if (!made.ok) throw new Error(made.message);
    browser = new PageBrowser(mount().urls.account);
    const used = await browser.submit(`/sign-in/link?code=${made.value.code}`, '/sign-in/link', {});
    expect(used.status).toBe(303);
  };

  const sendForm = (path: string, fields: Record<string, string>) =>
    fetch(mount().urls.account + path, { method: 'POST', body: new URLSearchParams(fields) });

  beforeAll(async () => {
    buyer = await aBuyer(mount().service);
    await signIn();
  });

  test('the health check is that of every host', async () => {
    const healthy = await fetch(`${mount().urls.account}/healthz`);
    expect([healthy.status, await healthy.json()]).toEqual([200, { status: 'ok' }]);
  });

  test('the metadata of the host and of the account MCP link to each other', async () => {
    const { api, account } = mount().urls;
    const resource = await (await fetch(`${api}/.well-known/oauth-protected-resource/api/mcp`)).json();
    expect(resource).toMatchObject({ resource: `${api}/api/mcp`, authorization_servers: [account] });
    const server = await (await fetch(`${account}/.well-known/oauth-authorization-server`)).json();
    expect(server).toMatchObject({ issuer: account, code_challenge_methods_supported: ['S256'] });
  });

  test('an unknown path shows a not-found page in the browser’s preferred language', async () => {
    const missing = await browser.get('/nowhere', { 'accept-language': 'ko' });
    expect(missing.status).toBe(404);
    expect(missing.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(missing.body).toContain('<html lang="ko">');
  });

  test('a signed-in visitor sees the account’s products, and two cookies arrive in one response', async () => {
    const library = await browser.get('/library');
    expect([library.status, library.body.includes('/library/1')]).toEqual([200, true]);
    expect(browser.jar.size).toBeGreaterThanOrEqual(2);
    expect((await new PageBrowser(mount().urls.account).get('/library')).status).toBe(303);
  });

  test('a downloaded release comes from a signed URL without cookies and keys', async () => {
    const answer = await browser.get(`/library/download?product=${TOOL}&platform=darwin-arm64`);
    expect(answer.status).toBe(303);
    const file = await fetch(answer.location as string);
    expect(file.status).toBe(200);
  });

  describe('an application', () => {
    test('an application registers, is approved, calls the account MCP, refreshes its token and is disconnected', async () => {
      const { account, api } = mount().urls;
      const registered = await fetch(`${account}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_name: 'Suite', redirect_uris: [REDIRECT] }),
      });
      expect(registered.status).toBe(201);
      const { client_id } = (await registered.json()) as { client_id: string };
      const code_verifier = randomBytes(32).toString('base64url');
      const challenge = createHash('sha256').update(code_verifier).digest('base64url');
      const url = authorizationUrl(account, { client_id, challenge, resource: `${api}/api/mcp`, redirect: REDIRECT });
      const answered = await letIn(browser, url);
      const code = answered.searchParams.get('code') as string;
      const redeemed = await sendForm('/oauth/token', {
        grant_type: 'authorization_code',
        client_id,
        code,
        code_verifier,
        redirect_uri: REDIRECT,
      });
      expect(redeemed.status).toBe(200);
      const tokens = (await redeemed.json()) as { access_token: string; refresh_token: string };

      const library = await callTool(mount(), tokens.access_token, 'list_library');
      expect(library.body.result.structuredContent).toMatchObject({ items: expect.any(Array) });
      const elsewhere = await get(mount(), '/api/library', tokens.access_token);
      expect([elsewhere.status, elsewhere.body.error]).toEqual([401, 'invalid_api_key']);

      const refreshed = await sendForm('/oauth/token', {
        grant_type: 'refresh_token',
        client_id,
        refresh_token: tokens.refresh_token,
      });
      const fresh = (await refreshed.json()) as { access_token: string };
      expect(fresh.access_token).not.toBe(tokens.access_token);

      const apps = await browser.get('/apps');
      expect(apps.body).toContain('Suite');
      expect((await browser.submit('/apps', '/apps/disconnect', {})).status).toBe(303);
      for (const key of [tokens.access_token, fresh.access_token]) {
        expect((await tell(mount(), { jsonrpc: '2.0', id: 1, method: 'ping' }, { key })).status).toBe(401);
      }
    });
  });

  test('a device signs in by the code that its owner approves, and signs out', async () => {
    const begun = await sendForm('/oauth/device_authorization', { client_id: 'cli', device_id: 'suite-laptop' });
    expect(begun.status).toBe(200);
    const { device_code, user_code } = (await begun.json()) as { device_code: string; user_code: string };
    const poll = () => sendForm('/oauth/token', { grant_type: DEVICE_GRANT, client_id: 'cli', device_code });
    expect(await (await poll()).json()).toMatchObject({ error: 'authorization_pending' });

    const found = await browser.submit(`/device?user_code=${user_code}`, '/device', { user_code });
    const decided = { ...hiddenFields(found.body, '/device/decide'), decision: 'approve', device_name: 'Suite laptop' };
    expect((await browser.post('/device/decide', decided)).status).toBe(303);
    const answer = await poll();
    const { access_token, scope } = (await answer.json()) as { access_token: string; scope: string };
    expect(scope.split(' ').toSorted()).toEqual([...DEVICE_KEY_ABILITIES].toSorted());
    expect((await get(mount(), '/api/device/entitlements', access_token)).body.device).toMatchObject({
      name: 'Suite laptop',
    });
    expect((await post(mount(), '/api/cli/device/logout', access_token)).status).toBe(204);
    expect((await get(mount(), '/api/device/entitlements', access_token)).status).toBe(401);
  });
};
