import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseCookie } from 'cookie';
import { onTestFinished } from 'vitest';
import type { AuthorizationServer } from '../../adapters/oauth/authorization-server.ts';
import type { Ability } from '../../domain/access/abilities.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { openAuthorizationServer } from '../../runtimes/composition/account-app.ts';
import type { Overrides } from '../../runtimes/composition/bootstrap.ts';
import type { Engines } from '../../runtimes/composition/settings.ts';
import { anAccount } from '../support/account-builders.ts';
import { memoryEngines, SETTINGS } from '../support/memory-engines.ts';
import { memoryService } from '../support/service.ts';

/* Helpers for tests of the authorization server. Its clients reach it by its public address through a local server. */

export const ISSUER = SETTINGS.urls.account;
export const RESOURCE = `${SETTINGS.urls.api}/api/mcp`;
export const REDIRECT = 'https://client.example/callback';
export const ACCOUNT = 1;

export type Answer = { readonly status: number; readonly headers: Headers; readonly text: string };

/** The JSON of a response. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer has
export const json = ({ text }: Answer): any => JSON.parse(text);

type Options = {
  readonly engines?: Engines;
  readonly overrides?: Overrides;
  readonly fetch?: (url: string) => Promise<Response>;
  /** True for a server whose public address is its local one, for clients that accept no other. */
  readonly isLocal?: boolean;
  /** Passes requests to the listener; by default, a Node server does. */
  readonly mount?: (listener: RequestListener) => RequestListener;
};

/** The cookie that represents the pages' session. Its value is the account. */
export const SIGNED_IN = 'signed-in-as';

/** A minimal consent page: GET shows the request, POST answers it. */
const consentPage =
  ({ consents }: AuthorizationServer) =>
  async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const url = new URL(req.url ?? '/', ISSUER);
    const goOn = (location: string | null) => (location ? res.writeHead(303, { location }) : res.writeHead(404)).end();
    if (req.method === 'GET') {
      const request = await consents.find(req, res);
      res.writeHead(request ? 200 : 404).end(JSON.stringify(request));
    } else if (url.searchParams.has('deny')) {
      goOn(await consents.deny(req, res, grantPermit()));
    } else {
      const permissions = (url.searchParams.get('permissions') ?? '').split(' ') as Ability[];
      const account_id = Number(url.searchParams.get('account'));
      res.setHeader('set-cookie', `${SIGNED_IN}=${account_id}; path=/`);
      goOn(await consents.approve(req, res, grantPermit(), { account_id, permissions }));
    }
  };

/** An authorization server on the memory engine. `send` reaches it under any address, and never follows a redirect. */
export const anAuthorizationServer = async (options: Options = {}) => {
  const {
    engines = memoryEngines(),
    overrides = {},
    fetch: cimd,
    isLocal = false,
    mount = (listener: RequestListener) => listener,
  } = options;
  const service = memoryService(overrides, engines);
  await service.get('accounts').save(grantPermit(), anAccount({ id: ACCOUNT }));
  const server = createServer((req, res) => mounted(req, res));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  const issuer = isLocal ? address : ISSUER;
  const faults: unknown[] = [];
  const opened = openAuthorizationServer({
    service,
    urls: { ...SETTINGS.urls, account: issuer },
    addressOf: () => '203.0.113.9',
    fault: (error) => faults.push(error),
    accountOf: async ({ headers }) => Number(parseCookie(headers.cookie ?? '')[SIGNED_IN] ?? 0) || null,
    ...(cimd && { fetch: cimd }),
  });
  const page = consentPage(opened);
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    if (!req.url?.startsWith('/interaction/')) opened.listener(req, res);
    else void page(req, res).catch((error) => res.writeHead(500).end(String(error)));
  };
  const mounted = mount(answer);
  const local = (url: string | URL): string => String(url).replace(ISSUER, address);
  const send = async (url: string | URL, init: RequestInit = {}): Promise<Answer> => {
    const sent = await fetch(local(url), { ...init, redirect: 'manual' });
    return { status: sent.status, headers: sent.headers, text: await sent.text() };
  };
  return { service, issuer, opened, faults, send, local };
};

export type TestServer = Awaited<ReturnType<typeof anAuthorizationServer>>;

export const postForm = (server: TestServer, path: string, form: Record<string, string>): Promise<Answer> =>
  server.send(`${ISSUER}${path}`, { method: 'POST', body: new URLSearchParams(form) });

export const postJson = (server: TestServer, path: string, body: object): Promise<Answer> =>
  server.send(`${ISSUER}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Registers a client and returns its id. */
export const aClient = async (server: TestServer, metadata: object = {}): Promise<string> => {
  const answer = await postJson(server, '/oauth/register', {
    client_name: 'Test client',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
    ...metadata,
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return json(answer).client_id;
};

/** A browser that stores its cookies by path. */
export const aBrowser = (server: TestServer) => {
  const jar = new Map<string, { path: string; value: string }>();
  return {
    jar,
    async open(url: string | URL, init: RequestInit = {}): Promise<Answer> {
      const { pathname } = new URL(url);
      const sent = [...jar].filter(
        ([, { path }]) => pathname === path || path === '/' || pathname.startsWith(`${path}/`),
      );
      const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
      const answer = await server.send(url, { ...init, headers: { ...init.headers, ...(cookie && { cookie }) } });
      for (const line of answer.headers.getSetCookie()) {
        const [pair = '', ...rest] = line.split('; ');
        const name = pair.slice(0, pair.indexOf('='));
        const path = rest.find((part) => part.startsWith('path='))?.slice(5) ?? '/';
        jar.set(name, { path, value: pair.slice(name.length + 1) });
      }
      return answer;
    },
  };
};

export const pkce = (verifier = randomBytes(32).toString('base64url')) => ({
  verifier,
  challenge: createHash('sha256').update(verifier).digest('base64url'),
});

export type Asked = Record<string, string | undefined>;

/** The URL of an authorization request; undefined parameters are omitted. */
export const authorizeUrl = (params: Asked): URL => {
  const url = new URL(`${ISSUER}/oauth/authorize`);
  const all: Asked = { response_type: 'code', redirect_uri: REDIRECT, code_challenge_method: 'S256', ...params };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
};

/**
 * An authorization request that is valid except for the given parameters, from a client that an account may have
 * authorized.
 */
export const ask = async (params: Asked = {}, { isLetIn = false } = {}) => {
  const server = await anAuthorizationServer();
  const client_id = await aClient(server);
  const { challenge } = pkce();
  if (isLetIn) await consented(server, client_id, { params: { code_challenge: challenge } });
  const answer = await server.send(authorizeUrl({ client_id, code_challenge: challenge, state: 'xyz', ...params }));
  const location = answer.headers.get('location');
  return { server, client_id, answer, location: location === null ? null : new URL(location) };
};

const locationOf = (answer: Answer): string => {
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`no redirect: ${answer.status} ${answer.text}`);
  return location;
};

type Consent = { readonly params?: Asked; readonly permissions?: string; readonly account?: number };

/** Follows an authorization request to the redirect to the client, and returns its URL. */
export const approved = async (
  server: TestServer,
  request: string | URL,
  { permissions = 'mcp.read products.read', account = ACCOUNT }: Omit<Consent, 'params'> = {},
): Promise<URL> => {
  const browser = aBrowser(server);
  const page = new URL(locationOf(await browser.open(request)));
  page.searchParams.set('permissions', permissions);
  page.searchParams.set('account', String(account));
  const answered = await browser.open(page, { method: 'POST' });
  return new URL(locationOf(await browser.open(locationOf(answered))));
};

/** Authorizes a client with these parameters, and returns the URL at which it gets its response. */
export const consented = (
  server: TestServer,
  client_id: string,
  { params = {}, ...consent }: Consent = {},
): Promise<URL> => approved(server, authorizeUrl({ client_id, ...params }), consent);

/** An authorized client, with the token endpoint's response. */
export const signedIn = async (
  server: TestServer,
  { client_id, ...consent }: Consent & { client_id?: string } = {},
) => {
  const id = client_id ?? (await aClient(server));
  const { verifier, challenge } = pkce();
  const params: Asked = { code_challenge: challenge, ...consent.params };
  const url = await consented(server, id, { ...consent, params });
  const code = url.searchParams.get('code') ?? '';
  const redeem = (extra: Record<string, string> = {}) =>
    postForm(server, '/oauth/token', {
      grant_type: 'authorization_code',
      client_id: id,
      code,
      redirect_uri: params['redirect_uri'] ?? REDIRECT,
      code_verifier: verifier,
      ...extra,
    });
  const answer = await redeem();
  if (answer.status !== 200) throw new Error(`${url} ${answer.text}`);
  return { client_id: id, code, redeem, tokens: json(answer) as Tokens };
};

export type Tokens = {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
};

export const refresh = (
  server: TestServer,
  client_id: string,
  refresh_token: string,
  extra: Record<string, string> = {},
) => postForm(server, '/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token, ...extra });

/** The principal of an access token, as the MCP endpoint finds it; undefined if the token is invalid. */
export const principalOf = async ({ service }: Pick<TestServer, 'service'>, token: string) => {
  const digest = service.get('digest').sha256(token);
  return service.get('signInTokens').find(digest);
};
