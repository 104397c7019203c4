import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Adapter, type Configuration, errors, interactionPolicy, type JWK } from 'oidc-provider';
import { ABILITIES } from '../../domain/access/abilities.ts';
import { CLIENT_DAYS, DEFAULT_PERMISSIONS, IDLE_DAYS, permissionsIn } from '../../domain/sign-in/oauth-grant.ts';
import { asPublicClient, isDocument, type RawMetadata, UNUSED_ALGORITHM } from './client-metadata.ts';
import { PATHS } from './paths.ts';

const ACCESS_TOKEN_SECONDS = 3600;

/** Scopes of OpenID Connect that clients ask for out of habit. They give nothing here and do no harm. */
const IDLE_SCOPES = new Set(['openid', 'profile', 'email', 'offline_access']);

/**
 * The scope that a request with this `scope` parameter asks the account's owner for: our permissions in it, or the
 * default ones where it names none. Throws InvalidScope where it names only scopes that do not exist.
 */
const askedScope = (scope: string | undefined): string => {
  const named = (scope ?? '').split(' ').filter((name) => name !== '' && !IDLE_SCOPES.has(name));
  if (named.length === 0) return DEFAULT_PERMISSIONS.join(' ');
  const permissions = permissionsIn(named.join(' '));
  if (permissions.length === 0) throw new errors.InvalidScope('none of the requested scopes exists', named.join(' '));
  return permissions.join(' ');
};

type Indicators = NonNullable<NonNullable<Configuration['features']>['resourceIndicators']>;

/** Every token is for this one resource (RFC 8707): it stands in for a missing one, and any other one is refused. */
const onlyResource = (resource: string): Indicators => ({
  enabled: true,
  defaultResource: async (_ctx, _client, oneOf) => (oneOf?.some((one) => one !== resource) ? oneOf : resource),
  useGrantedResource: async () => true,
  getResourceServerInfo: async (_ctx, asked) => {
    if (asked !== resource) throw new errors.InvalidTarget(`tokens are issued for ${resource} only`);
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

/** The longest client id that is the address of a metadata document. It is kept with each grant. */
const MAX_DOCUMENT_ADDRESS = 500;

export type ProviderOptions = {
  /** Where the authorization server is reached; cookies are secure if it is https. */
  readonly issuer: string;
  readonly resource: string;
  readonly adapter: (model: string) => Adapter;
  /** Ids of the clients of device sign-in that the adapter has answered with. */
  readonly deviceClients: ReadonlySet<string>;
  /** The client's network address. */
  readonly addressOf: (req: IncomingMessage) => string;
  /** The account that the browser is signed in to. */
  readonly accountOf: (req: IncomingMessage) => Promise<number | null>;
  /** Whether a client may name itself by the address of its metadata document. */
  readonly clientDocuments: boolean;
  /** Fetches a client's metadata document. */
  readonly fetch: (url: string) => Promise<Response>;
  /** False where the request's sender may not make this server fetch this document now. */
  readonly mayFetch: (req: IncomingMessage, url: string) => Promise<boolean>;
  readonly renderError: NonNullable<Configuration['renderError']>;
};

/** The provider insists on a key for ID tokens. None are issued, so that each process may have a key of its own. */
const unusedKey = (): JWK => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as JWK;

/**
 * Each authorization asks the account's owner. Whether somebody is signed in is for the pages to know, so that the
 * prompts a client may ask for all lead to the same page.
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

/** A `__Host-` cookie has to be for every path, so that those of one page or one address have the other prefix. */
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
    // The provider calls this for each of the properties, before it checks anything else.
    validator: (_ctx, property, _value, metadata) => {
      const isOurs = options.deviceClients.has(String(metadata.client_id));
      if (property === 'software_id' && !isOurs) asPublicClient(metadata as RawMetadata);
    },
  },
  // The one hook that may give a parameter another value, once the client is known and before anybody is asked.
  extraParams: {
    scope: (ctx, scope) => {
      if (ctx.oidc.params) ctx.oidc.params['scope'] = askedScope(scope);
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
      // The page that asks for consent reads the client again, outside of a request to the provider.
      allowFetch: async (ctx: { readonly req: IncomingMessage } | undefined, clientId) =>
        isDocument(clientId) &&
        clientId.length <= MAX_DOCUMENT_ADDRESS &&
        (ctx === undefined || (await options.mayFetch(ctx.req, clientId))),
    },
    registration: { enabled: true },
    // An update's lost answer would lock the client out of its own record if each update changed the token.
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
    // Somebody else may have signed in to this browser between the approval and its way back to the application.
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
