import { describe, expect, it } from 'vitest';
import {
  ACCOUNT,
  aBrowser,
  aClient,
  anAuthorizationServer,
  authorizeUrl,
  consented,
  ISSUER,
  json,
  pkce,
  postForm,
  principalOf,
  REDIRECT,
  RESOURCE,
  refresh,
  signedIn,
} from './support.ts';

const { verifier, challenge: code_challenge } = pkce();

/** An authorization request that is right but for the parameters given. */
const ask = async (params: Record<string, string | undefined>) => {
  const server = await anAuthorizationServer();
  const client_id = await aClient(server);
  const answer = await server.send(authorizeUrl({ client_id, code_challenge, state: 'xyz', ...params }));
  const location = answer.headers.get('location');
  return { server, client_id, answer, location: location === null ? null : new URL(location) };
};

describe('a sign-in of an application', () => {
  it('ends with tokens that name the account, the permissions and the resource', async () => {
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

  it('answers the client with its state and the issuer (RFC 9207)', async () => {
    const server = await anAuthorizationServer();
    const url = await consented(server, await aClient(server), { params: { code_challenge, state: 'xyz' } });
    expect(url.origin + url.pathname).toBe(REDIRECT);
    expect(url.searchParams.get('state')).toBe('xyz');
    expect(url.searchParams.get('iss')).toBe(ISSUER);
  });

  it('shows the account owner who asks, where the answer goes, and for which permissions', async () => {
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

  it('asks for the default permissions where the client names none, or only those of OpenID', async () => {
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

  it('gives only permissions that the client asked for and the account owner chose', async () => {
    const server = await anAuthorizationServer();
    const { tokens } = await signedIn(server, {
      params: { scope: 'mcp.read orders.read nonsense' },
      permissions: 'mcp.read device.activate',
    });
    expect(tokens.scope).toBe('mcp.read');
  });

  it('turns the client away where the account owner denies it, or chooses nothing', async () => {
    for (const query of ['?deny', '?permissions=&account=1']) {
      const { server, client_id } = await ask({});
      const browser = aBrowser(server);
      const started = await browser.open(authorizeUrl({ client_id, code_challenge, state: 'xyz' }));
      const denied = await browser.open(`${started.headers.get('location')}${query}`, { method: 'POST' });
      const end = new URL(
        (await browser.open(denied.headers.get('location') as string)).headers.get('location') as string,
      );
      expect(Object.fromEntries(end.searchParams)).toMatchObject({ error: 'access_denied', state: 'xyz', iss: ISSUER });
      expect(await server.service.get('listConnectedApps').execute(ACCOUNT)).toEqual([]);
    }
  });

  it('keeps nobody signed in: the same browser is asked at each authorization, also with prompt=none', async () => {
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

  it('asks again for another client: consent is never inherited', async () => {
    const server = await anAuthorizationServer();
    await signedIn(server);
    const other = await aClient(server);
    const answer = await server.send(authorizeUrl({ client_id: other, code_challenge, prompt: 'none' }));
    expect(new URL(answer.headers.get('location') as string).searchParams.get('error')).toBe('consent_required');
  });

  it('may be asked with any of the prompts of OpenID', async () => {
    for (const prompt of ['login', 'consent', 'select_account']) {
      const server = await anAuthorizationServer();
      const { tokens } = await signedIn(server, { params: { prompt } });
      expect(tokens.access_token).toBeTruthy();
    }
  });
});

describe('PKCE', () => {
  it('is required', async () => {
    const { location } = await ask({ code_challenge: undefined, code_challenge_method: undefined });
    expect(location?.searchParams.get('error')).toBe('invalid_request');
    expect(location?.searchParams.get('error_description')).toContain('PKCE');
  });

  it('refuses the plain method, named or by default', async () => {
    for (const code_challenge_method of ['plain', undefined]) {
      const { location } = await ask({ code_challenge: verifier, code_challenge_method });
      expect(location?.searchParams.get('error')).toBe('invalid_request');
    }
  });

  it('refuses a wrong verifier and a missing one', async () => {
    const server = await anAuthorizationServer();
    const client_id = await aClient(server);
    for (const code_verifier of [pkce().verifier, '']) {
      const url = await consented(server, client_id, { params: { code_challenge } });
      const form = { grant_type: 'authorization_code', client_id, redirect_uri: REDIRECT, code_verifier };
      const answer = await postForm(server, '/oauth/token', { ...form, code: url.searchParams.get('code') as string });
      expect([answer.status, json(answer).error]).toEqual([400, 'invalid_grant']);
    }
  });
});

describe('the resource (RFC 8707)', () => {
  it('is refused at the authorization request where it is another one', async () => {
    for (const resource of ['https://elsewhere.example/api/mcp', `${RESOURCE}/x`, 'nonsense']) {
      const { location } = await ask({ resource });
      expect(location?.searchParams.get('error')).toBe('invalid_target');
    }
  });

  it('is refused at the token request where it is another one, alone or beside the right one', async () => {
    const server = await anAuthorizationServer();
    const client_id = await aClient(server);
    for (const resources of [['https://elsewhere.example/'], [RESOURCE, 'https://elsewhere.example/']]) {
      const url = await consented(server, client_id, { params: { code_challenge } });
      const form = new URLSearchParams({ grant_type: 'authorization_code', client_id, redirect_uri: REDIRECT });
      form.set('code', url.searchParams.get('code') as string);
      form.set('code_verifier', verifier);
      for (const resource of resources) form.append('resource', resource);
      const answer = await server.send(`${ISSUER}/oauth/token`, { method: 'POST', body: form });
      expect([answer.status, json(answer).error]).toEqual([400, 'invalid_target']);
    }
  });

  it('is refused at the refresh where it is another one, which uses nothing up', async () => {
    const server = await anAuthorizationServer();
    const { client_id, tokens } = await signedIn(server);
    const wrong = await refresh(server, client_id, tokens.refresh_token, { resource: 'https://elsewhere.example/' });
    expect([wrong.status, json(wrong).error]).toEqual([400, 'invalid_target']);
    expect((await refresh(server, client_id, tokens.refresh_token, { resource: RESOURCE })).status).toBe(200);
  });

  it('may be named at each step', async () => {
    const server = await anAuthorizationServer();
    const { tokens } = await signedIn(server, { params: { resource: RESOURCE } });
    expect(await principalOf(server, tokens.access_token)).toMatchObject({ resource: RESOURCE });
  });
});

describe('the redirect', () => {
  it('never goes to an address that the client did not register, whatever else is wrong', async () => {
    const elsewhere = ['https://evil.example/', `${REDIRECT}/../x`, `${REDIRECT}?x=1`, 'javascript:alert(1)'];
    for (const redirect_uri of elsewhere) {
      for (const wrong of [{}, { code_challenge: undefined }, { resource: 'nonsense' }, { scope: 'nonsense' }]) {
        const { answer, location } = await ask({ redirect_uri, ...wrong });
        expect([answer.status, location]).toEqual([400, null]);
        expect(answer.headers.get('content-type')).toContain('text/html');
      }
    }
  });

  it('never goes anywhere for a client that does not exist', async () => {
    const { answer, location } = await ask({ client_id: 'unknown' });
    expect([answer.status, location]).toEqual([400, null]);
  });

  it('may have any port of this machine (RFC 8252), but no other host or path', async () => {
    const server = await anAuthorizationServer();
    const client_id = await aClient(server, { redirect_uris: ['http://127.0.0.1/cb', 'http://localhost:1234/cb'] });
    const open = (redirect_uri: string) => server.send(authorizeUrl({ client_id, code_challenge, redirect_uri }));
    expect((await open('http://127.0.0.1:50505/cb')).status).toBe(303);
    expect((await open('http://localhost:50505/cb')).status).toBe(303);
    expect((await open('http://127.0.0.1:50505/other')).status).toBe(400);
    expect((await open('http://192.168.0.1:1234/cb')).status).toBe(400);
  });

  it('carries the answer in the query only, so that no page of ours posts a form elsewhere', async () => {
    for (const response_mode of ['form_post', 'fragment']) {
      const { answer, location } = await ask({ response_mode });
      expect([answer.status, location]).toEqual([400, null]);
    }
  });
});

describe('an error page', () => {
  it('is small, escaped, in the reader’s language, and may not be framed', async () => {
    const server = await anAuthorizationServer();
    const headers = { 'accept-language': 'ko-KR,ko;q=0.9,en;q=0.8' };
    const answer = await server.send(authorizeUrl({ client_id: '<script>' }), { headers });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('<html lang="ko">');
    expect(answer.text).not.toContain('<script>');
    expect(answer.text).not.toContain('    at ');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

describe('the address of the server', () => {
  it('is always the configured one, whatever Host and X-Forwarded headers say', async () => {
    const server = await anAuthorizationServer();
    const client_id = await aClient(server);
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '10.0.0.1',
      forwarded: 'host=evil.example;proto=http',
    };
    const started = await server.send(authorizeUrl({ client_id, code_challenge }), { headers });
    expect(started.headers.get('location')).toMatch(/^https:\/\/account\.example\.com\/interaction\//);
    const cookies = started.headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toMatch(/^__Secure-oauth-.*; secure; httponly/i);
    const metadata = await server.send(`${ISSUER}/.well-known/oauth-authorization-server`, { headers });
    expect(json(metadata).issuer).toBe(ISSUER);
    const body = JSON.stringify({ redirect_uris: [REDIRECT] });
    const registered = await server.send(`${ISSUER}/oauth/register`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    expect(json(registered).registration_client_uri).toMatch(/^https:\/\/account\.example\.com\/oauth\/register\//);
  });

  it('leaves every other path to the account host', async () => {
    const server = await anAuthorizationServer();
    for (const path of [
      '/.well-known/openid-configuration',
      '/oauth/jwks',
      '/oauth/session/end/confirm',
      '/OAUTH/TOKEN',
      '/',
    ]) {
      expect((await server.send(`${ISSUER}${path}`)).status).toBe(404);
      expect((await server.send(`${ISSUER}${path}`, { method: 'POST' })).status).toBe(404);
    }
  });

  it('answers a wrong method with 405', async () => {
    const server = await anAuthorizationServer();
    expect((await server.send(`${ISSUER}/oauth/token`)).status).toBe(405);
    expect((await server.send(`${ISSUER}/oauth/authorize`, { method: 'POST' })).status).toBe(405);
  });
});
