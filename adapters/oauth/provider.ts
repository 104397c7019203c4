import { generateKeyPairSync } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import {
  type Adapter,
  type Configuration,
  errors,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import { ABILITIES } from '../../domain/access/abilities.ts';
import { secondsOfDayLeft } from '../../domain/shared/daily-bound.ts';
import { addDays } from '../../domain/shared/instant.ts';
import { isDocument } from '../../domain/sign-in/oauth-client.ts';
import { CLIENT_DAYS, IDLE_DAYS, requestedPermissions } from '../../domain/sign-in/oauth-grant.ts';
import { FAULT, guarded, isBrokenOff, UNAVAILABLE } from './answers.ts';
import { asPublicClient, type RawMetadata, shownMetadata, UNUSED_ALGORITHM } from './client-metadata.ts';
import { type DeviceKeys, endDeviceKey } from './device-grant.ts';
import { PATHS, routeOf } from './paths.ts';
import { type AdapterPorts, nameOf } from './provider-adapter.ts';
import { currentWrites, issueTokens, TokenWrites } from './token-writes.ts';

const ACCESS_TOKEN_SECONDS = 3600;

type Indicators = NonNullable<NonNullable<Configuration['features']>['resourceIndicators']>;

/** Every token is for this resource (RFC 8707). It is the default, and any other resource is refused. */
const onlyResource = (resource: string): Indicators => ({
  enabled: true,
  defaultResource: async (_ctx, _client, oneOf) => (oneOf?.some((one) => one !== resource) ? oneOf : resource),
  useGrantedResource: async () => true,
  getResourceServerInfo: async (_ctx, indicator) => {
    if (indicator !== resource) throw new errors.InvalidTarget(`tokens are issued for ${resource} only`);
    return {
      scope: ABILITIES.join(' '),
      audience: resource,
      accessTokenTTL: ACCESS_TOKEN_SECONDS,
      accessTokenFormat: 'opaque',
    };
  },
});

const HOUR = 3600;
const DAY = 24 * HOUR;

/** The maximum length of a client id that is the URL of a metadata document. It is stored with each grant. */
const MAX_DOCUMENT_ADDRESS = 500;

export type ProviderOptions = {
  /** The URL of the authorization server; cookies are secure if it is https. */
  readonly issuer: string;
  readonly resource: string;
  readonly adapter: (model: string) => Adapter;
  /** Ids of the device sign-in clients that the adapter returned. */
  readonly deviceClients: ReadonlySet<string>;
  readonly addressOf: (req: IncomingMessage) => string;
  readonly accountOf: (req: IncomingMessage) => Promise<number | null>;
  /** Whether a client may use the URL of its metadata document as its id. */
  readonly clientDocuments: boolean;
  readonly fetch: (url: string) => Promise<Response>;
  /** False if the sender of the request may not make this server fetch the document now. */
  readonly mayFetch: (req: IncomingMessage, url: string) => Promise<boolean>;
  readonly renderError: NonNullable<Configuration['renderError']>;
};

/** The provider requires a key for ID tokens. None are issued, so each process can generate its own. */
const unusedKey = (): JWK => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as JWK;

/**
 * Each authorization asks the account's owner. The pages know whether somebody is signed in, so every prompt that a
 * client may request leads to the same page.
 */
const alwaysAsk = () => {
  const { Prompt, Check } = interactionPolicy;
  const unanswered = new Check('consent_always', 'the account owner has to approve each authorization', (ctx) =>
    ctx.oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  );
  return [
    new Prompt({ name: 'login', requestable: true }),
    new Prompt({ name: 'select_account', requestable: true }),
    new Prompt({ name: 'consent', requestable: true }, unanswered),
  ];
};

/** A `__Host-` cookie must apply to every path, so cookies for a single page or URL get the other prefix. */
const cookieNames = (issuer: string) => {
  const isSecure = issuer.startsWith('https:');
  const named = (prefix: string, name: string): string => (isSecure ? `${prefix}${name}` : name);
  return {
    session: named('__Host-', 'oauth-session'),
    interaction: named('__Secure-', 'oauth-interaction'),
    resume: named('__Secure-', 'oauth-resume'),
  };
};

const OFF = { enabled: false };

export const configuration = (options: ProviderOptions): Configuration => ({
  adapter: options.adapter,
  clientAuthMethods: ['none'],
  clientDefaults: { token_endpoint_auth_method: 'none', id_token_signed_response_alg: UNUSED_ALGORITHM },
  clientBasedCORS: () => true,
  clockTolerance: 0,
  cookies: {
    names: cookieNames(options.issuer),
    long: { httpOnly: true, sameSite: 'lax' },
    short: { httpOnly: true, sameSite: 'lax' },
  },
  enabledJWA: { idTokenSigningAlgValues: [UNUSED_ALGORITHM] },
  expiresWithSession: async () => false,
  extraClientMetadata: {
    properties: ['software_id', 'software_version'],
    // The provider calls this for each property before any other check.
    validator: (_ctx, property, _value, metadata) => {
      const isOurs = options.deviceClients.has(String(metadata.client_id));
      if (property === 'software_id' && !isOurs) asPublicClient(metadata as RawMetadata);
    },
  },
  // The only hook that can replace a parameter once the client is known and before the owner is asked.
  extraParams: {
    scope: (ctx, scope) => {
      const permissions = requestedPermissions(scope ?? '');
      if (permissions.length === 0) throw new errors.InvalidScope('none of the requested scopes exists', scope ?? '');
      if (ctx.oidc.params) ctx.oidc.params['scope'] = permissions.join(' ');
    },
  },
  features: {
    devInteractions: OFF,
    dPoP: OFF,
    pushedAuthorizationRequests: OFF,
    rpInitiatedLogout: OFF,
    userinfo: OFF,
    clientIdMetadataDocument: {
      enabled: options.clientDocuments,
      ack: 'draft-02',
      // The consent page looks the client up again, outside a request to the provider.
      allowFetch: async (ctx: { readonly req: IncomingMessage } | undefined, clientId) =>
        isDocument(clientId) &&
        clientId.length <= MAX_DOCUMENT_ADDRESS &&
        (ctx === undefined || (await options.mayFetch(ctx.req, clientId))),
    },
    registration: { enabled: true },
    // If each update changed the token, a lost response would lock the client out of its record.
    registrationManagement: { enabled: true, rotateRegistrationAccessToken: false },
    resourceIndicators: onlyResource(options.resource),
    revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
  },
  fetch: (input) => options.fetch(String(input)),
  findAccount: async (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
  interactions: { policy: alwaysAsk(), url: (_ctx, interaction) => `${options.issuer}/interaction/${interaction.uid}` },
  issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  jwks: { keys: [unusedKey()] },
  loadExistingGrant: async (ctx) => {
    const grantId = ctx.oidc.result?.consent?.grantId;
    const grant = grantId === undefined ? undefined : await ctx.oidc.provider.Grant.find(grantId);
    // Somebody else may have signed in to this browser between the approval and the return to the application.
    if (grant && String(await options.accountOf(ctx.req)) !== grant.accountId) {
      await grant.destroy();
      throw new errors.AccessDenied('another account is signed in than the one that approved the request');
    }
    return grant;
  },
  pkce: { required: () => true },
  renderError: options.renderError,
  responseTypes: ['code'],
  revokeGrantPolicy: () => true,
  rotateRefreshToken: () => true,
  routes: {
    authorization: PATHS.authorization,
    token: PATHS.token,
    registration: PATHS.registration,
    revocation: PATHS.revocation,
    jwks: '/oauth/jwks',
    end_session: '/oauth/session/end',
  },
  scopes: [],
  ttl: {
    AccessToken: ACCESS_TOKEN_SECONDS,
    AuthorizationCode: 60,
    Grant: IDLE_DAYS * DAY,
    Interaction: HOUR,
    RefreshToken: IDLE_DAYS * DAY,
    RegistrationAccessToken: CLIENT_DAYS * DAY,
    Session: HOUR,
  } as NonNullable<Configuration['ttl']>,
});

type Middleware = Parameters<Provider['use']>[0];

const ENDED = { error: 'invalid_grant', error_description: 'grant request is invalid' };

const TOO_MANY = {
  error: 'temporarily_unavailable',
  error_description:
    'Too many tokens for one day. Keep each for its lifetime, and wait the number of seconds in Retry-After.',
};

/** Commits the writes of the token endpoint once it has a response, and sends the response only if they succeeded. */
const writingTokens =
  (ports: AdapterPorts): Middleware =>
  async (ctx, next) => {
    if (routeOf(ctx.path) !== 'token') return next();
    const writes = new TokenWrites();
    await currentWrites.run(writes, next);
    if (ctx.status !== 200 || writes.tokens.length === 0) return;
    const issued = await issueTokens(ports, writes);
    if (!issued.ok && issued.code === 'too_many_tokens') {
      ctx.status = 429;
      ctx.set('Retry-After', String(secondsOfDayLeft(ports.clock.now())));
      ctx.body = TOO_MANY;
      return;
    }
    if (!issued.ok) {
      ctx.status = 400;
      ctx.body = ENDED;
      return;
    }
    const { client_id, last_used_at } = issued.value.app;
    const now = ports.clock.now();
    // The grant's use was just recorded, which happens once a day. Its client is extended by the same time.
    if (addDays(last_used_at, 1) <= now) {
      await ports.oauthRecords.extend(nameOf('client', client_id), addDays(now, CLIENT_DAYS));
    }
  };

/**
 * An error redirects only to a client that some account has authorized, and is a page for every other client: otherwise
 * anybody could register a URL and use this server to send people there (RFC 9700, section 4.11.2). The answer to a
 * person who was asked has its own path.
 */
const keepingStrangersHere = (provider: Provider, ports: AdapterPorts, options: ProviderOptions): Middleware => {
  const refused = new WeakMap<object, { readonly ctx: KoaContextWithOIDC; readonly error: errors.OIDCProviderError }>();
  provider.on('authorization.error', (ctx, error) => refused.set(ctx, { ctx, error }));
  const hasGrantOf = guarded(ports.fault, (clientId: string) => ports.oauthRecords.hasGrantOf(clientId));
  return async (ctx, next) => {
    await next();
    const refusal = refused.get(ctx);
    if (!refusal || routeOf(ctx.path) !== 'authorization' || !ctx.response.get('location')) return;
    if (await hasGrantOf(String(ctx.query['client_id']))) return;
    const { error, error_description = '', statusCode } = refusal.error;
    ctx.remove('location');
    // Errors that answer `prompt=none` have the status of a redirect.
    ctx.status = Math.max(statusCode, 400);
    await options.renderError(refusal.ctx, { error, error_description }, refusal.error);
  };
};

/** The last resort: a fault of the store becomes a 503, and no error leaves a request unanswered. */
const answeringFaults =
  (fault: (error: unknown) => void): Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!isBrokenOff(ctx.req, error)) fault(error);
      ctx.status = 503;
      ctx.body = UNAVAILABLE;
    }
    const body = ctx.body as { error?: unknown } | undefined;
    if (body?.error === 'server_error') ctx.body = { error: 'server_error', error_description: FAULT };
    if (ctx.status === 503) ctx.set('Retry-After', '1');
  };

/** The provider stores no session, so its cookie would mean nothing. */
const withoutSessionCookie =
  (provider: Provider): Middleware =>
  async (ctx, next) => {
    await next();
    const cookies = ctx.res.getHeader('set-cookie');
    if (!Array.isArray(cookies)) return;
    const others = cookies.filter((cookie) => !cookie.startsWith(`${provider.cookieName('session')}=`));
    if (others.length > 0) ctx.res.setHeader('set-cookie', others);
    else ctx.res.removeHeader('set-cookie');
  };

/** The provider knows tokens only. A device sign-in key is ended once the provider has identified the client. */
const revokingDeviceKeys =
  (ports: DeviceKeys, addressOf: (req: IncomingMessage) => string): Middleware =>
  async (ctx, next) => {
    await next();
    if (routeOf(ctx.path) !== 'revocation' || ctx.status !== 200) return;
    const { client, params } = (ctx as KoaContextWithOIDC).oidc;
    const address = addressOf(ctx.req);
    await endDeviceKey(ports, { value: String(params?.['token']), client_id: String(client?.clientId), address });
  };

const shortRegistrations: Middleware = async (ctx, next) => {
  await next();
  const route = routeOf(ctx.path);
  if ((route === 'registration' || route === 'client') && ctx.status < 300 && ctx.body) {
    ctx.body = shownMetadata(ctx.body as Record<string, unknown>);
  }
};

/**
 * The provider with our storage and rules. Its URLs are always those of the issuer, whatever the Host and X-Forwarded
 * headers of the request say.
 */
export const openProvider = (options: ProviderOptions, ports: AdapterPorts & DeviceKeys): Provider => {
  const provider = new Provider(options.issuer, configuration(options));
  const { protocol, host } = new URL(options.issuer);
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
  });
  const report = (error: unknown, { req }: { readonly req: IncomingMessage }): void => {
    if (!isBrokenOff(req, error)) ports.fault(error);
  };
  provider.on('server_error', (ctx, error) => report(error, ctx));
  (provider as EventEmitter).on('error', report);
  provider.use(answeringFaults(ports.fault));
  provider.use(withoutSessionCookie(provider));
  provider.use(keepingStrangersHere(provider, ports, options));
  provider.use(shortRegistrations);
  provider.use(revokingDeviceKeys(ports, options.addressOf));
  provider.use(writingTokens(ports));
  return provider;
};
