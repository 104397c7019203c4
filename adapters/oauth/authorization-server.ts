import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { type Configuration, errors, type Provider } from 'oidc-provider';
import type { EndApiKey } from '../../application/access/api-keys.ts';
import type { Authenticate } from '../../application/access/authenticate.ts';
import type { LimitAddress, LimitRate } from '../../application/access/limit-rate.ts';
import { CONFLICT, untilWritten } from '../../application/shared/contended.ts';
import type { EndUnusedApps } from '../../application/sign-in/connected-apps.ts';
import type { RedeemDeviceSignIn, StartDeviceSignIn } from '../../application/sign-in/device-sign-in.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { OwnLimit, RateVerdict } from '../../domain/access/rate-limit.ts';
import { addDays, hasPassed, millis } from '../../domain/shared/instant.ts';
import type { Language } from '../../domain/shared/language.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import { isDocument, redirectHost, redirectKind } from '../../domain/sign-in/oauth-client.ts';
import {
  CLIENT_DAYS,
  type ConnectedApp,
  type ConsentDecision,
  type ConsentRequest,
  permissionsIn,
} from '../../domain/sign-in/oauth-grant.ts';
import type { Catalogs } from '../../ports/outbound/catalog.ts';
import type { OAuthRecords } from '../../ports/outbound/oauth-records.ts';
import type { DailyBounds } from '../../ports/outbound/requests.ts';
import type { Clock, Pauses } from '../../ports/outbound/system.ts';
import {
  type ErrorPage,
  FAULT,
  guarded,
  isBrokenOff,
  pageHeaders,
  type RenderError,
  sendError,
  sendJson,
  UNAVAILABLE,
} from './answers.ts';
import { authorizeDevice, deviceGrant } from './device-grant.ts';
import { DEVICE_GRANT, methodsOf, PATHS, type RouteName, routeOf, serverMetadata } from './paths.ts';
import { openProvider } from './provider.ts';
import { type AdapterPorts, nameOf, providerAdapter } from './provider-adapter.ts';

/** The interface between the consent page and the authorization server. It throws faults of the store. */
type Consents = {
  /** The request that this page shows; null if it is unknown, has ended, or belongs to another browser. */
  find(req: IncomingMessage, res: ServerResponse): Promise<ConsentRequest | null>;
  /**
   * Approves the client with the selected permissions among those that it requested; without any, it is denied. Returns
   * the URL to continue to, or null where `find` would return null. Until the browser continues, the last answer
   * counts.
   */
  approve(req: IncomingMessage, res: ServerResponse, permit: Permit, decision: ConsentDecision): Promise<string | null>;
  /** Denies the client, and returns the URL to continue to, or null where `find` would return null. */
  deny(req: IncomingMessage, res: ServerResponse, permit: Permit): Promise<string | null>;
};

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** The interaction that belongs to this browser and this page. */
const interactionOf = async (provider: Provider, req: IncomingMessage, res: ServerResponse) => {
  const address = (req as { originalUrl?: string }).originalUrl ?? req.url ?? '';
  const interaction = await provider.interactionDetails(req, res).catch((error: unknown) => {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  });
  const [path = ''] = address.split('?', 1);
  return interaction && path.endsWith(`/${interaction.uid}`) ? interaction : undefined;
};

const consentRequest = async (provider: Provider, { uid, params }: Interaction): Promise<ConsentRequest | null> => {
  const client = await provider.Client.find(String(params['client_id'])).catch((error: unknown) => {
    if (error instanceof errors.OIDCProviderError && error.statusCode < 500) return undefined;
    throw error;
  });
  if (!client) return null;
  const redirect = String(params['redirect_uri']);
  const is_metadata_document = isDocument(client.clientId);
  return {
    uid,
    client: {
      id: client.clientId,
      name: client.clientName ?? (is_metadata_document ? new URL(client.clientId).hostname : redirectHost(redirect)),
      uri: client.clientUri ?? null,
      is_metadata_document,
    },
    redirect_host: redirectHost(redirect),
    redirects_to_this_machine: redirectKind(redirect) !== 'web',
    permissions: permissionsIn(String(params['scope'])),
    resource: String(params['resource']),
  };
};

type Chosen = Pick<ConnectedApp, 'account_id' | 'client_id' | 'client_name' | 'redirect_host' | 'permissions'>;

/**
 * The result of an interaction, as the provider expects it. It never remembers a sign-in (`remember`): the pages do
 * that.
 */
const resultOf = (app: ConnectedApp | undefined): object =>
  app
    ? {
        login: { accountId: String(app.account_id), remember: false },
        select_account: {},
        consent: { grantId: app.grant_id },
      }
    : { error: 'access_denied', error_description: 'the account owner denied the request' };

const isSameChoice = (app: ConnectedApp, { account_id, permissions }: Chosen): boolean =>
  app.account_id === account_id && isSameJson(app.permissions, permissions);

type ConsentPorts = AdapterPorts & {
  /** Keeps the number of an account's applications within its limit. */
  readonly endUnusedApps: EndUnusedApps;
};

const consentsOf = (provider: Provider, ports: ConsentPorts): Consents => {
  const { oauthRecords, clock, pauses, endUnusedApps } = ports;
  const find: Consents['find'] = async (req, res) => {
    const interaction = await interactionOf(provider, req, res);
    return interaction ? consentRequest(provider, interaction) : null;
  };

  /**
   * Stores the answer in place of an earlier one and ends the grant of the earlier one, because another person may have
   * answered in this browser before it continued. A form that was sent twice is one answer. False if the request has
   * ended.
   */
  const settle = (permit: Permit, uid: string, chosen: Chosen | undefined): Promise<boolean> =>
    untilWritten<boolean>(pauses, async () => {
      const name = nameOf('interaction', uid);
      const read = await oauthRecords.find(name);
      const now = clock.now();
      if (!read || hasPassed(read.record.expires_at, now)) return false;
      const result = read.record.payload['result'] as Interaction['result'];
      const formerId = result?.consent?.grantId;
      const former = formerId === undefined ? undefined : (await oauthRecords.grant(formerId))?.app;
      if (former && chosen && isSameChoice(former, chosen)) return true;
      const grant_id = randomBytes(32).toString('base64url');
      const app = chosen && { ...chosen, grant_id, created_at: now, last_used_at: now };
      const payload = { ...read.record.payload, result: resultOf(app) };
      return (await oauthRecords.decide(permit, { interaction: { ...name, read }, payload, app, former })) || CONFLICT;
    });

  const deny: Consents['deny'] = async (req, res, permit) => {
    const interaction = await interactionOf(provider, req, res);
    return interaction && (await settle(permit, interaction.uid, undefined)) ? interaction.returnTo : null;
  };

  const approve: Consents['approve'] = async (req, res, permit, { account_id, permissions }) => {
    const interaction = await interactionOf(provider, req, res);
    const request = interaction && (await consentRequest(provider, interaction));
    if (!request) return null;
    const { client, redirect_host } = request;
    const chosen = request.permissions.filter((permission) => permissions.includes(permission));
    if (chosen.length === 0) return deny(req, res, permit);
    // The client is extended first, because a client that expires before its grant could not refresh.
    await oauthRecords.extend(nameOf('client', client.id), addDays(clock.now(), CLIENT_DAYS));
    const app = { account_id, client_id: client.id, client_name: client.name, redirect_host, permissions: chosen };
    if (!(await settle(permit, interaction.uid, app))) return null;
    await endUnusedApps(permit, account_id);
    return interaction.returnTo;
  };

  return { find, approve, deny };
};

type Fetch = (url: string) => Promise<Response>;

/** Long enough for the steps of one request; short for somebody who is correcting a document. */
const REMEMBERED_MS = 10_000;

/** The maximum number of cached answers. The fetch limits each to a few KB. */
const MOST = 200;

/**
 * Fetches the metadata documents of clients. The provider caches the documents that it can use, but fetches the others
 * again, twice in a request. So this cache holds every answer for ten seconds, including failures.
 */
export class ClientDocuments {
  readonly #fetch: Fetch;
  readonly #answers: LRUCache<string, () => Response>;

  constructor(fetch: Fetch, clock: Clock) {
    this.#fetch = fetch;
    const perf = { now: () => millis(clock.now()) };
    this.#answers = new LRUCache({ max: MOST, ttl: REMEMBERED_MS, ttlResolution: 0, perf });
  }

  has(url: string): boolean {
    return this.#answers.has(url);
  }

  /** The response of the URL. Rethrows the error of a failed fetch. */
  async get(url: string): Promise<Response> {
    const answer = this.#answers.get(url) ?? (await this.#ask(url));
    return answer();
  }

  async #ask(url: string): Promise<() => Response> {
    const answer = await this.#fetch(url).then(
      async (response) => {
        const { status, headers } = response;
        const body = response.body && (await response.arrayBuffer());
        return () => new Response(body, { status, headers });
      },
      (error: unknown) => () => {
        throw error;
      },
    );
    this.#answers.set(url, answer);
    return answer;
  }
}

/**
 * Requests per minute from one IP address. A hosted client refreshes the tokens of all its users from one address.
 */
const PER_MINUTE: Readonly<Record<Exclude<RouteName, 'metadata'> | 'document', number>> = {
  authorization: 60,
  resume: 60,
  token: 1200,
  registration: 20,
  client: 60,
  revocation: 300,
  device_authorization: 60,
  document: 20,
};

type Limiter = LimitRate;

const ownLimit = (name: keyof typeof PER_MINUTE): OwnLimit => ({
  endpoint: `oauth.${name}`,
  perMinute: PER_MINUTE[name],
});

/**
 * Counts a request of an IP address. `document` counts the metadata documents that the address makes this server
 * fetch.
 */
const countRequest = async (
  limitRate: Limiter,
  name: keyof typeof PER_MINUTE,
  address: string,
): Promise<RateVerdict> => {
  const owner = { kind: 'address', address } as const;
  return limitRate.spent(owner, ownLimit(name)) ?? limitRate.count(owner, ownLimit(name));
};

const showRate = (res: ServerResponse, rate: RateVerdict): void => {
  res.setHeader('x-ratelimit-limit', rate.limit);
  res.setHeader('x-ratelimit-remaining', rate.remaining);
  if (rate.allowed) return;
  res.setHeader('retry-after', rate.retry_after);
  res.setHeader('x-ratelimit-reset', rate.resets_at);
};

/** The use cases and ports that the authorization server calls, under the names of the service's parts. */
export type AuthorizationParts = {
  readonly oauthRecords: OAuthRecords;
  /** The applications of the catalog are clients of device sign-in. */
  readonly catalogs: Pick<Catalogs, 'current'>;
  readonly dailyBounds: DailyBounds;
  readonly clock: Clock;
  readonly pauses: Pauses;
  readonly limitRate: Limiter;
  /** Counts the requests that have no counter of their own. */
  readonly limitAddress: LimitAddress;
  readonly startDeviceSignIn: StartDeviceSignIn;
  readonly redeemDeviceSignIn: RedeemDeviceSignIn;
  readonly authenticate: Authenticate;
  readonly endApiKey: EndApiKey;
  readonly endUnusedApps: EndUnusedApps;
};

export type AuthorizationServerOptions = AuthorizationParts & {
  /** Public URLs without a trailing slash. Tokens are issued for `{api}/api/mcp` only. */
  readonly urls: { readonly account: string; readonly api: string };
  /** The client's IP address. It must not come from a header that clients can forge. */
  readonly addressOf: (req: IncomingMessage) => string;
  /** The account that the browser is signed in to, by the session of the pages. */
  readonly accountOf: (req: IncomingMessage) => Promise<number | null>;
  readonly languageOf: (req: IncomingMessage) => Promise<Language>;
  /** Fetches the metadata document of a client. It must connect to public addresses only. */
  readonly fetch: (url: string) => Promise<Response>;
  /** Whether a client may use the URL of its metadata document as its id. */
  readonly clientDocuments: boolean;
  readonly fault: (error: unknown) => void;
  /** The page for a person whose application cannot be authorized. */
  readonly renderError: RenderError;
};

export type AuthorizationServer = {
  /** Answers the paths of the authorization server. For any other path it calls `next`, or answers 404 without one. */
  readonly listener: (req: IncomingMessage, res: ServerResponse, next?: () => void) => void;
  readonly consents: Consents;
};

const EXPOSED =
  'WWW-Authenticate, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';

const BUSY = { error: 'temporarily_unavailable', error_description: 'Too many requests. Wait a minute.' };

/** Routes that a browser navigates to. Scripts of every origin may call the other routes, which use no cookie. */
const NAVIGATED: readonly RouteName[] = ['authorization', 'resume'];

/** The provider's description, with a hint for a document that could not be fetched. */
const explained = (description: string): string =>
  description.startsWith('client_id metadata document fetch failed')
    ? 'The metadata document of this client cannot be fetched. The operator can give this server a way out to the internet, or set CLIENT_DOCUMENTS=off, so that clients register instead.'
    : description;

const allowScripts = (res: ServerResponse, methods: readonly string[]): void => {
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.setHeader('Access-Control-Allow-Methods', methods.join(', '));
  res.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, MCP-Protocol-Version');
  res.setHeader('Access-Control-Expose-Headers', EXPOSED);
  res.setHeader('Access-Control-Max-Age', '3600');
};

const providerErrorPage =
  (page: ErrorPage): NonNullable<Configuration['renderError']> =>
  async (ctx, out) => {
    const { error, error_description = '' } = out;
    const described = error === 'server_error' ? FAULT : error_description;
    const { html, headers } = await page(ctx.req, { error, error_description: described });
    ctx.set(headers);
    ctx.body = html;
  };

/**
 * The OAuth 2.1 authorization server of the account host: authorization code with PKCE, refresh, client registration,
 * and device sign-in. All of its state is in the records, so any number of processes can serve it.
 */
export const authorizationServer = (options: AuthorizationServerOptions): AuthorizationServer => {
  const { urls, limitRate, limitAddress, addressOf, fault, renderError, languageOf } = options;
  const errorPage: ErrorPage = async (req, error) => {
    const language = await languageOf(req);
    const error_description = explained(error.error_description);
    const { html, pictures } = await renderError({ ...error, error_description, language });
    return { html, headers: pageHeaders(language, pictures) };
  };
  const ports = { ...options, resource: `${urls.api}/api/mcp`, deviceClients: new Set<string>() };
  const documents = new ClientDocuments(options.fetch, options.clock);
  const provider = openProvider(
    {
      issuer: urls.account,
      resource: ports.resource,
      deviceClients: ports.deviceClients,
      adapter: providerAdapter(ports, `${urls.account}${PATHS.authorization}`),
      fetch: (url) => documents.get(url),
      addressOf,
      clientDocuments: options.clientDocuments,
      accountOf: guarded(fault, options.accountOf),
      mayFetch: async (req, url) =>
        documents.has(url) || (await countRequest(limitRate, 'document', addressOf(req))).allowed,
      renderError: providerErrorPage(errorPage),
    },
    ports,
  );
  provider.registerGrantType(DEVICE_GRANT, deviceGrant(options), ['device_code']);
  const answerByProvider = provider.callback();
  const metadata = serverMetadata(urls.account, options.clientDocuments);

  const answer = async (route: RouteName, req: IncomingMessage, res: ServerResponse, url: URL): Promise<void> => {
    const page = NAVIGATED.includes(route) ? errorPage : undefined;
    const methods = methodsOf(route);
    if (!page) allowScripts(res, methods);
    const isPreflight = req.method === 'OPTIONS' && !page;
    const isKnown = methods.includes(req.method ?? '');
    const address = addressOf(req);
    const verdict =
      isKnown && route !== 'metadata'
        ? await countRequest(limitRate, route, address)
        : await limitAddress(isPreflight ? 'bulk' : 'calls', () => address);
    showRate(res, verdict);
    if (!verdict.allowed) return sendError(req, res, 429, BUSY, { page });
    if (isPreflight) return void res.writeHead(204).end();
    if (!isKnown) {
      const wrong = { error: 'invalid_request', error_description: `This address takes ${methods.join(', ')}.` };
      return sendError(req, res, 405, wrong, { page, headers: { allow: methods.join(', ') } });
    }
    if (route === 'metadata') return sendJson(req, res, 200, metadata, { 'cache-control': 'public, max-age=3600' });
    if (route === 'device_authorization') {
      const { status, body } = await authorizeDevice({ ...options, issuer: urls.account }, req, address);
      // The rest of an oversized body is never read, so the connection closes with the answer.
      return sendJson(req, res, status, body, req.complete ? {} : { connection: 'close' });
    }
    const mode = url.searchParams.get('response_mode');
    if (route === 'authorization' && mode !== null && mode !== 'query') {
      const wrong = { error: 'unsupported_response_mode', error_description: 'response_mode must be query' };
      return sendError(req, res, 400, wrong, { page });
    }
    await answerByProvider(req, res);
  };

  const listener: AuthorizationServer['listener'] = (req, res, next) => {
    const url = URL.parse(req.url ?? '/', urls.account);
    const route = url ? routeOf(url.pathname) : undefined;
    if (!url || !route) {
      if (next) return next();
      return sendJson(req, res, 404, { error: 'not_found', error_description: 'There is nothing at this address.' });
    }
    void answer(route, req, res, url).catch((error: unknown) => {
      if (!isBrokenOff(req, error)) fault(error);
      if (res.headersSent) return void res.destroy();
      const page = NAVIGATED.includes(route) ? errorPage : undefined;
      return sendError(req, res, 503, UNAVAILABLE, { page, headers: { 'retry-after': '1' } });
    });
  };

  return { listener, consents: consentsOf(provider, ports) };
};
