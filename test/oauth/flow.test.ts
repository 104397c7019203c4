import { describe, expect, it } from 'vitest';
import {
  ACCOUNT,
  aBrowser,
  aClient,
  anAuthorizationServer,
  ask,
  authorizeUrl,
  consented,
  ISSUER,
  json,
  pkce,
  principalOf,
  REDIRECT,
  RESOURCE,
  refresh,
  signedIn,
} from './support.ts';

const { challenge: code_challenge } = pkce();

describe('the sign-in of an application', () => {
  it('a sign-in returns tokens that name the account, the permissions and the resource', async () => {
    const server = await anAuthorizationServer();
    const { client_id, tokens } = await signedIn(server);
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'products.read mcp.read' });
    expect(await principalOf(server, tokens.access_token)).toMatchObject({
      account_id: ACCOUNT,
      client_id,
      permissions: ['products.read', 'mcp.read'],
      resource: RESOURCE,
    });
    const refreshed = await refresh(server, client_id, tokens.refresh_token);
    expect(refreshed.status, refreshed.text).toBe(200);
    expect(refreshed.headers.get('cache-control')).toBe('no-store');
    expect(json(refreshed).refresh_token).not.toBe(tokens.refresh_token);
    expect(server.faults).toEqual([]);
  });

  it('the client gets its state and the issuer (RFC 9207)', async () => {
    const server = await anAuthorizationServer();
    const url = await consented(server, await aClient(server), { params: { code_challenge, state: 'xyz' } });
    expect(url.origin + url.pathname).toBe(REDIRECT);
    expect(url.searchParams.get('state')).toBe('xyz');
    expect(url.searchParams.get('iss')).toBe(ISSUER);
  });

  it('the account owner sees the client, its redirect host and the requested permissions', async () => {
    const { server, client_id } = await ask({});
    const browser = aBrowser(server);
    const started = await browser.open(authorizeUrl({ client_id, code_challenge, scope: 'orders.read' }));
    const page = started.headers.get('location') as string;
    const shown = json(await browser.open(page));
    expect(shown).toEqual({
      uid: page.split('/').at(-1),
      client: { id: client_id, name: 'Test client', uri: null, is_metadata_document: false },
      redirect_host: 'client.example',
      redirects_to_this_machine: false,
      permissions: ['orders.read'],
      resource: RESOURCE,
    });
    expect((await aBrowser(server).open(page)).status).toBe(404);
    const cookie = [...browser.jar].map(([name, { value }]) => `${name}=${value}`).join('; ');
    expect((await server.send(`${ISSUER}/interaction/another`, { headers: { cookie } })).status).toBe(404);
  });

  it('the default permissions are requested if the client names none, or only those of OpenID', async () => {
    for (const scope of [undefined, 'openid offline_access']) {
      const { server, client_id } = await ask({});
      const { tokens } = await signedIn(server, {
        client_id,
        params: { scope },
        permissions: 'mcp.read products.read',
      });
      expect(tokens.scope).toBe('products.read mcp.read');
      expect(tokens).not.toHaveProperty('id_token');
    }
  });

  it('the client gets only permissions that it requested and the account owner chose', async () => {
    const server = await anAuthorizationServer();
    const { tokens } = await signedIn(server, {
      params: { scope: 'mcp.read orders.read nonsense' },
      permissions: 'mcp.read device.activate',
    });
    expect(tokens.scope).toBe('mcp.read');
  });

  it('the client is refused if the account owner denies it or chooses nothing', async () => {
    for (const query of ['?deny', '?permissions=&account=1']) {
      const { server, client_id } = await ask({});
      const browser = aBrowser(server);
      const started = await browser.open(authorizeUrl({ client_id, code_challenge, state: 'xyz' }));
      const denied = await browser.open(`${started.headers.get('location')}${query}`, { method: 'POST' });
      const end = new URL(
        (await browser.open(denied.headers.get('location') as string)).headers.get('location') as string,
      );
      expect(Object.fromEntries(end.searchParams)).toMatchObject({ error: 'access_denied', state: 'xyz', iss: ISSUER });
      expect(await server.service.get('connectedApps').of(ACCOUNT)).toEqual([]);
    }
  });

  it('the client is approved once if the form is sent twice', async () => {
    const { server, client_id } = await ask({});
    const browser = aBrowser(server);
    const started = await browser.open(authorizeUrl({ client_id, code_challenge }));
    const page = `${started.headers.get('location')}?permissions=mcp.read&account=1`;
    const first = await browser.open(page, { method: 'POST' });
    const second = await browser.open(page, { method: 'POST' });
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(await server.service.get('connectedApps').of(ACCOUNT)).toHaveLength(1);
  });

  it('nobody stays signed in: the same browser is asked at each authorization, even with prompt=none', async () => {
    const server = await anAuthorizationServer();
    const client_id = await aClient(server);
    const browser = aBrowser(server);
    const started = await browser.open(authorizeUrl({ client_id, code_challenge }));
    const page = `${started.headers.get('location')}?permissions=mcp.read&account=1`;
    const approved = await browser.open(page, { method: 'POST' });
    const done = await browser.open(approved.headers.get('location') as string);
    expect(new URL(done.headers.get('location') as string).searchParams.has('code')).toBe(true);
    expect([...browser.jar.keys()].filter((name) => name.includes('session'))).toEqual([]);
    const again = await browser.open(authorizeUrl({ client_id, code_challenge }));
    expect(again.headers.get('location')).toContain(`${ISSUER}/interaction/`);
    const silent = await browser.open(authorizeUrl({ client_id, code_challenge, prompt: 'none' }));
    expect(new URL(silent.headers.get('location') as string).searchParams.get('error')).toBe('consent_required');
  });

  it('another client is asked about again, because consent is never inherited', async () => {
    const server = await anAuthorizationServer();
    await signedIn(server);
    const other = await aClient(server);
    const answer = await server.send(authorizeUrl({ client_id: other, code_challenge, prompt: 'none' }));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(answer.text).toContain('consent_required');
  });

  it('every prompt of OpenID is accepted', async () => {
    for (const prompt of ['login', 'consent', 'select_account']) {
      const server = await anAuthorizationServer();
      const { tokens } = await signedIn(server, { params: { prompt } });
      expect(tokens.access_token).toBeTruthy();
    }
  });
});
