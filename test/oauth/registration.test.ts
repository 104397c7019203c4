import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  ACCOUNT,
  type Answer,
  aClient,
  anAuthorizationServer,
  authorizeUrl,
  ISSUER,
  json,
  pkce,
  postJson,
  principalOf,
  REDIRECT,
  refresh,
  signedIn,
  type TestServer,
} from './support.ts';

const DAY_MS = 86_400_000;

afterEach(() => vi.useRealTimers());

const passing = (ms: number) => {
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + ms);
};

const register = async (metadata: object): Promise<Answer> =>
  postJson(await anAuthorizationServer(), '/oauth/register', metadata);

/** True if the client may still begin a sign-in. */
const isKnown = async (server: TestServer, client_id: string): Promise<boolean> =>
  (await server.send(authorizeUrl({ client_id, code_challenge: pkce().challenge }))).status === 303;

describe('registration (RFC 7591)', () => {
  it('registration creates a public client, whatever authentication it requested, and stores no secret', async () => {
    for (const token_endpoint_auth_method of ['none', 'client_secret_post', 'client_secret_basic', undefined]) {
      const answer = await register({ redirect_uris: [REDIRECT], token_endpoint_auth_method, client_secret: 'x' });
      expect(answer.status, answer.text).toBe(201);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(json(answer)).toMatchObject({
        client_id: expect.any(String),
        client_id_issued_at: expect.any(Number),
        token_endpoint_auth_method: 'none',
        redirect_uris: [REDIRECT],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        registration_client_uri: expect.stringMatching(/^https:\/\/account\.example\.com\/oauth\/register\//),
        registration_access_token: expect.any(String),
      });
      for (const name of [
        'client_secret',
        'client_secret_expires_at',
        'id_token_signed_response_alg',
        'subject_type',
      ]) {
        expect(json(answer)).not.toHaveProperty(name);
      }
    }
  });

  it('registration drops unused metadata and stores a name on one line', async () => {
    const answer = await register({
      redirect_uris: [REDIRECT],
      client_name: `A\u202e\nclient ${'x'.repeat(500)}`,
      client_uri: 'javascript:alert(1)',
      logo_uri: 'https://client.example/logo.png',
      jwks_uri: 'https://169.254.169.254/keys',
      scope: 'openid profile nonsense',
      grant_types: ['authorization_code', 'refresh_token', 'implicit', 'client_credentials'],
    });
    expect(answer.status, answer.text).toBe(201);
    const client = json(answer);
    expect(client.client_name).toMatch(/^A client x+$/);
    expect(client.client_name).toHaveLength(100);
    expect(client.grant_types).toEqual(['authorization_code', 'refresh_token']);
    for (const name of ['client_uri', 'logo_uri', 'jwks_uri', 'scope']) expect(client).not.toHaveProperty(name);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://client.example/x',
    'http://client.example/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://localhost.evil.example/callback',
    'http://192.168.0.1/callback',
    'https://user:password@client.example/callback',
    'https://client.example/callback#fragment',
    'custom:/callback',
    '/callback',
    '',
  ])('registration refuses the redirect URI %s alone, and omits it beside another one', async (uri) => {
    const answer = await register({ redirect_uris: [uri] });
    expect([answer.status, json(answer).error]).toEqual([400, 'invalid_redirect_uri']);
    expect(json(await register({ redirect_uris: [REDIRECT, uri] })).redirect_uris).toEqual([REDIRECT]);
  });

  it.each([
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'http://127.0.0.1:8787/callback',
  ])('registration omits https on this machine beside %s, and accepts it alone', async (native) => {
    for (const local of ['https://localhost:8787/callback', 'https://127.0.0.1/callback', 'https://[::1]/callback']) {
      const answer = await register({ redirect_uris: [local, native, REDIRECT] });
      expect(json(answer).redirect_uris, answer.text).toEqual([native, REDIRECT]);
      expect(json(await register({ redirect_uris: [local, REDIRECT] })).redirect_uris).toEqual([local, REDIRECT]);
    }
  });

  it('registration accepts each redirect URI of VS Code', async () => {
    const redirect_uris = ['http://127.0.0.1:33418', 'https://vscode.dev/redirect'];
    const answer = await register({ client_name: 'Visual Studio Code', redirect_uris });
    expect(json(answer).redirect_uris, answer.text).toEqual(redirect_uris);
  });

  it('registration accepts Cursor and redirects to its private scheme', async () => {
    const redirect_uri = 'cursor://anysphere.cursor-mcp/oauth/callback';
    const server = await anAuthorizationServer();
    const sent = [redirect_uri, 'https://www.cursor.com/agents/mcp/oauth/callback', 'http://localhost:8787/callback'];
    const client = json(await postJson(server, '/oauth/register', { client_name: 'Cursor', redirect_uris: sent }));
    expect(client.redirect_uris).toEqual(sent);
    await signedIn(server, { client_id: client.client_id, params: { redirect_uri } });
    expect(await server.service.get('connectedApps').of(ACCOUNT)).toMatchObject([
      { client_name: 'Cursor', redirect_host: 'cursor://' },
    ]);
  });

  it.each([
    [undefined],
    [[]],
    ['https://client.example/'],
    [[1]],
    [Array(21).fill(REDIRECT)],
  ])('registration refuses the redirect URIs %j', async (redirect_uris) => {
    const answer = await register({ redirect_uris });
    expect([answer.status, json(answer).error]).toEqual([400, 'invalid_redirect_uri']);
  });

  it.each([
    'http://localhost:8080/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:1/cb',
    'com.example.app:/cb',
    'vscode-insiders://vscode.mcp/cb',
    'windsurf://mcp/cb',
    REDIRECT,
  ])('registration accepts the redirect URI %s', async (uri) => {
    expect((await register({ redirect_uris: [uri] })).status).toBe(201);
  });

  it('registration refuses a body of more than 56 KB and one that is not JSON', async () => {
    const large = await register({ redirect_uris: [REDIRECT], client_name: 'x'.repeat(60_000) });
    expect([large.status, json(large).error]).toEqual([400, 'invalid_request']);
    const server = await anAuthorizationServer();
    const form = await server.send(`${ISSUER}/oauth/register`, {
      method: 'POST',
      body: new URLSearchParams({ a: '1' }),
    });
    expect(form.status).toBe(400);
  });

  it('registration refuses a name in bytes that are not UTF-8', async () => {
    const server = await anAuthorizationServer();
    const body = Buffer.from(`{"redirect_uris":["${REDIRECT}"],"client_name":"caf\u00e9"}`, 'latin1');
    const headers = { 'content-type': 'application/json' };
    const answer = await server.send(`${ISSUER}/oauth/register`, { method: 'POST', headers, body });
    expect([answer.status, json(answer)]).toEqual([
      400,
      { error: 'invalid_client_metadata', error_description: expect.stringContaining('UTF-8') },
    ]);
  });

  it('registration stores up to 4 KB of metadata', async () => {
    const redirects = (size: number) => [`${REDIRECT}?${'x'.repeat(1900)}`, `${REDIRECT}?${'x'.repeat(size)}`];
    expect((await register({ redirect_uris: redirects(1900) })).status).toBe(201);
    expect((await register({ redirect_uris: redirects(10), unknown: 'x'.repeat(5000) })).status).toBe(201);
    const large = await register({ redirect_uris: [...redirects(1900), `${REDIRECT}?${'x'.repeat(300)}`] });
    expect([large.status, json(large).error]).toEqual([400, 'invalid_client_metadata']);
    expect(json(large).error_description).toContain('4096');
  });

  it('registration accepts 20 clients from one IP address in a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const server = await anAuthorizationServer();
    for (let n = 0; n < 20; n++) await aClient(server);
    const answer = await postJson(server, '/oauth/register', { redirect_uris: [REDIRECT] });
    expect([answer.status, json(answer).error]).toEqual([429, 'temporarily_unavailable']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('registration can be called by scripts of any origin, without cookies', async () => {
    const server = await anAuthorizationServer();
    const preflight = await server.send(`${ISSUER}/oauth/register`, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:6274', 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    const body = JSON.stringify({ redirect_uris: [REDIRECT] });
    const headers = { origin: 'http://localhost:6274', 'content-type': 'application/json' };
    const answer = await server.send(`${ISSUER}/oauth/register`, { method: 'POST', headers, body });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([201, '*']);
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
  });
});

describe('a registered client', () => {
  it('a registered client can read, change and remove its own record (RFC 7592)', async () => {
    const server = await anAuthorizationServer();
    const body = { redirect_uris: [REDIRECT], client_name: 'Before' };
    const client = json(await postJson(server, '/oauth/register', body));
    const { registration_client_uri: uri, registration_access_token: token, client_id } = client;
    const manage = (method: string, { bearer = token, body }: { bearer?: string; body?: object } = {}) =>
      server.send(uri, {
        method,
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    expect(json(await manage('GET'))).toMatchObject({ client_id, client_name: 'Before' });
    const change = { client_id, client_name: 'After', redirect_uris: ['https://client.example/other'] };
    const changed = await manage('PUT', { body: change });
    expect([changed.status, json(changed).client_name], changed.text).toEqual([200, 'After']);
    expect(json(changed)).not.toHaveProperty('client_secret');
    expect(json(await manage('GET'))).toMatchObject({ redirect_uris: ['https://client.example/other'] });
    const wrong = await manage('PUT', { body: { ...change, redirect_uris: ['javascript:alert(1)'] } });
    expect([wrong.status, json(wrong).error]).toEqual([400, 'invalid_redirect_uri']);
    expect((await manage('GET', { bearer: 'x'.repeat(43) })).status).toBe(401);
    expect((await manage('DELETE')).status).toBe(204);
    expect((await manage('GET')).status).toBe(401);
    expect(await isKnown(server, client_id)).toBe(false);
  });

  it('a registered client can’t reach another client’s record', async () => {
    const server = await anAuthorizationServer();
    const one = json(await postJson(server, '/oauth/register', { redirect_uris: [REDIRECT] }));
    const other = json(await postJson(server, '/oauth/register', { redirect_uris: [REDIRECT] }));
    const headers = { authorization: `Bearer ${one.registration_access_token}` };
    expect((await server.send(other.registration_client_uri, { headers })).status).toBe(401);
    expect((await server.send(other.registration_client_uri, { headers, method: 'DELETE' })).status).toBe(401);
    expect(await isKnown(server, other.client_id)).toBe(true);
  });

  it('a registered client that removes its record ends all its grants, and no others', async () => {
    const server = await anAuthorizationServer();
    const client = json(await postJson(server, '/oauth/register', { redirect_uris: [REDIRECT] }));
    const { client_id } = client;
    const [one, two, other] = [
      await signedIn(server, { client_id }),
      await signedIn(server, { client_id }),
      await signedIn(server),
    ];
    const headers = { authorization: `Bearer ${client.registration_access_token}` };
    expect((await server.send(client.registration_client_uri, { method: 'DELETE', headers })).status).toBe(204);
    for (const { tokens } of [one, two]) expect(await principalOf(server, tokens.access_token)).toBeUndefined();
    expect(await principalOf(server, other.tokens.access_token)).toBeDefined();
    expect(await server.service.get('connectedApps').of(ACCOUNT)).toMatchObject([{ client_id: other.client_id }]);
  });

  it('a registered client that no account approved is deleted after a day', async () => {
    const server = await anAuthorizationServer();
    passing(0);
    const client_id = await aClient(server);
    passing(DAY_MS - 1000);
    expect(await isKnown(server, client_id)).toBe(true);
    passing(1000);
    expect(await isKnown(server, client_id)).toBe(false);
  });

  it('a registered client that changes its own record does not live longer', async () => {
    const server = await anAuthorizationServer();
    passing(0);
    const client = json(await postJson(server, '/oauth/register', { redirect_uris: [REDIRECT] }));
    passing(DAY_MS - 1000);
    const changed = await server.send(client.registration_client_uri, {
      method: 'PUT',
      headers: { authorization: `Bearer ${client.registration_access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: client.client_id, redirect_uris: [REDIRECT], client_name: 'Later' }),
    });
    expect(changed.status).toBe(200);
    passing(1000);
    expect(await isKnown(server, client.client_id)).toBe(false);
  });

  it('a registered client that is used is kept', async () => {
    const server = await anAuthorizationServer();
    passing(0);
    let { client_id, tokens } = await signedIn(server);
    for (let month = 0; month < 20; month++) {
      passing(29 * DAY_MS);
      tokens = json(await refresh(server, client_id, tokens.refresh_token));
    }
    expect(await isKnown(server, client_id)).toBe(true);
  });

  it('a registered client gets a refresh token, whatever grant types it named, because most name none and mean both', async () => {
    const server = await anAuthorizationServer();
    const client_id = await aClient(server, { grant_types: undefined });
    const { tokens } = await signedIn(server, { client_id });
    expect(tokens).toHaveProperty('refresh_token');
  });
});
