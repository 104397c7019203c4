import { afterEach, describe, expect, it, vi } from 'vitest';
import { ClientDocuments } from '../../adapters/oauth/authorization-server.ts';
import { toInstant } from '../../domain/shared/instant.ts';
import { PASSWORDS_ONLY } from '../../runtimes/composition/settings.ts';
import {
  ACCOUNT,
  type Answer,
  anAuthorizationServer,
  authorizeUrl,
  consented,
  ISSUER,
  json,
  pkce,
  postForm,
  principalOf,
  refresh,
  signedIn,
  type TestServer,
} from './support.ts';

afterEach(() => vi.useRealTimers());

const CLIENT = 'https://client.example/oauth/client.json';
const LOOPBACK = 'http://127.0.0.1/callback';

/** A server whose fetch returns this document for its URL, with `overrides`. */
const withDocument = async (overrides: object = {}) => {
  const fetched: string[] = [];
  const server = await anAuthorizationServer({
    fetch: async (url) => {
      fetched.push(url);
      const document = {
        client_id: url,
        client_name: 'Documented client',
        client_uri: 'https://client.example/',
        redirect_uris: [LOOPBACK],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
        ...overrides,
      };
      return new Response(JSON.stringify(document), { headers: { 'cache-control': 'max-age=3600' } });
    },
  });
  const open = (client_id = CLIENT, redirect_uri = LOOPBACK): Promise<Answer> =>
    server.send(authorizeUrl({ client_id, redirect_uri, code_challenge: pkce().challenge }));
  return { server, fetched, open };
};

const params = { redirect_uri: 'http://127.0.0.1:49152/callback' };

describe('a client with a metadata document', () => {
  it('a client with a metadata document signs in without registering, at any loopback port', async () => {
    const { server, fetched } = await withDocument();
    const { client_id, tokens } = await signedIn(server, { client_id: CLIENT, params });
    expect(await principalOf(server, tokens.access_token)).toMatchObject({ client_id: CLIENT });
    expect((await refresh(server, client_id, tokens.refresh_token)).status).toBe(200);
    expect(fetched).toEqual([CLIENT]);
    const [app] = await server.service.get('connectedApps').of(ACCOUNT);
    expect(app).toMatchObject({ client_id: CLIENT, client_name: 'Documented client', redirect_host: '127.0.0.1' });
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://client.example/callback',
    'custom:/callback',
  ])('a client with a metadata document is refused with the redirect URI %s, and accepted with its own', async (uri) => {
    const { open } = await withDocument({ redirect_uris: [LOOPBACK, uri] });
    const answer = await open(CLIENT, uri);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect((await open(CLIENT, LOOPBACK)).status).toBe(303);
  });

  it.each([
    ['names another client', { client_id: 'https://other.example/client.json' }],
    ['holds a secret', { client_secret: 'x' }],
    ['wants a secret', { token_endpoint_auth_method: 'client_secret_post' }],
    ['wants a key', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['has no redirect URI', { redirect_uris: undefined }],
  ])('a client is refused if its metadata document %s', async (_why, overrides) => {
    const { open } = await withDocument(overrides);
    const answer = await open();
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });

  it.each([
    'http://client.example/client.json',
    'HTTPS://client.example/client.json',
    'Https://client.example/client.json',
    'https://client.example/a/../client.json',
    'https://client.example/#x',
    'https://user@client.example/',
  ])('a metadata document is not fetched from %s', async (client_id) => {
    const { open, fetched } = await withDocument();
    expect((await open(client_id)).status).toBe(400);
    expect(fetched).toEqual([]);
  });

  it('one IP address can cause 20 fetches of metadata documents in a minute', async () => {
    const { open, fetched } = await withDocument();
    vi.useFakeTimers({ toFake: ['Date'] });
    for (let n = 0; n < 25; n++) await open(`https://client.example/${n}.json`);
    expect(fetched).toHaveLength(20);
  });

  it.each([
    ['holds no JSON', async () => new Response('<html>')],
    ['names another client', async () => new Response('{"client_id":"https://other.example/client.json"}')],
    ['is missing', async () => new Response(null, { status: 404 })],
    ['can’t be fetched', () => Promise.reject(new Error('The host does not answer.'))],
  ])('a metadata document is not fetched again for ten seconds if it %s', async (_why, answer) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const fetched: string[] = [];
    const server = await anAuthorizationServer({
      fetch: (url) => {
        fetched.push(url);
        return answer();
      },
    });
    const url = authorizeUrl({ client_id: CLIENT, redirect_uri: LOOPBACK, code_challenge: pkce().challenge });
    for (let n = 0; n < 30; n++) expect((await server.send(url)).status).toBe(400);
    expect(fetched).toEqual([CLIENT]);
    vi.setSystemTime(Date.now() + 10_001);
    await server.send(url);
    expect(fetched).toEqual([CLIENT, CLIENT]);
  });

  it('a metadata document is forgotten after 200 others were requested', async () => {
    const fetched: string[] = [];
    const fetch = async (url: string) => {
      fetched.push(url);
      return new Response(url);
    };
    const documents = new ClientDocuments(fetch, { now: () => toInstant(0) });
    for (let n = 0; n < 201; n++) await documents.get(String(n));
    expect([documents.has('0'), documents.has('1'), documents.has('200')]).toEqual([false, true, true]);
    expect(await (await documents.get('200')).text()).toBe('200');
    expect(fetched).toHaveLength(201);
  });

  it('a client with a metadata document gets tokens only with a code of its own', async () => {
    const { server } = await withDocument();
    const { verifier, challenge } = pkce();
    const url = await consented(server, CLIENT, { params: { ...params, code_challenge: challenge } });
    const answer = await postForm(server, '/oauth/token', {
      grant_type: 'authorization_code',
      client_id: 'https://other.example/client.json',
      code: url.searchParams.get('code') as string,
      code_verifier: verifier,
      ...params,
    });
    expect([answer.status, json(answer).error]).toEqual([400, 'invalid_grant']);
  });
});

describe('a server without outbound access', () => {
  const anUnreachable = (clientDocuments: boolean) =>
    anAuthorizationServer({
      overrides: { signInSettings: { ...PASSWORDS_ONLY, clientDocuments } },
      fetch: () => Promise.reject(new Error('connect ENETUNREACH')),
    });
  const metadataOf = async (server: TestServer) =>
    json(await server.send(`${ISSUER}/.well-known/oauth-authorization-server`));
  const url = authorizeUrl({ client_id: CLIENT, redirect_uri: LOOPBACK, code_challenge: pkce().challenge });

  it('a server without outbound access tells a person which setting lets clients register', async () => {
    const server = await anUnreachable(true);
    expect((await metadataOf(server)).client_id_metadata_document_supported).toBe(true);
    expect((await server.send(url)).text).toContain('CLIENT_DOCUMENTS=off');
  });

  it('a server with metadata documents turned off does not advertise them, and lets a client register', async () => {
    const server = await anUnreachable(false);
    expect((await metadataOf(server)).client_id_metadata_document_supported).toBe(false);
    const answer = await server.send(url);
    expect([answer.status, answer.text.includes('CLIENT_DOCUMENTS')]).toEqual([400, false]);
    expect(await signedIn(server)).toHaveProperty('tokens.access_token');
  });
});

describe('a metadata document at a private address', () => {
  it.each([
    'https://127.0.0.1/c.json',
    'https://localhost/c.json',
    'https://10.0.0.1/c.json',
    'https://169.254.169.254/c.json',
    'https://[::ffff:127.0.0.1]/c.json',
  ])('a metadata document at a private address is refused with an error page: %s', async (client_id) => {
    const server = await anAuthorizationServer();
    const answer = await server.send(authorizeUrl({ client_id, code_challenge: pkce().challenge }));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(answer.text).toContain('invalid_client');
  });
});
