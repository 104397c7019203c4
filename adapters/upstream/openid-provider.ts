import type { ClientAuth, Configuration, IDToken, WWWAuthenticateChallenge } from 'openid-client';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { UpstreamChecks, UpstreamIdentity } from '../../domain/sign-in/upstream-sign-in.ts';
import type { UpstreamProvider } from '../../ports/outbound/upstream-provider.ts';

const LONGEST_NAME = 255;

/** The claims of an ID token and of the UserInfo response together (OpenID Connect Core, section 5.1). */
type Claims = { readonly iss: string; readonly sub: string; readonly [name: string]: unknown };

const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

/** The identity in the claims. Some providers send `email_verified` as a string. */
const identityIn = ({ iss, sub, ...claims }: Claims): UpstreamIdentity => {
  const verified = claims['email_verified'];
  return {
    issuer: iss,
    subject: sub,
    email: textIn(claims['email']),
    email_verified: verified === true || verified === 'true',
    name: textIn(claims['name'])?.slice(0, LONGEST_NAME) ?? null,
  };
};

/** The package is loaded at the first sign-in, so that it does not delay a start. */
const openidClient = () => import('openid-client');
type OpenidClient = Awaited<ReturnType<typeof openidClient>>;

export type UpstreamSettings = {
  /** The name on the button. */
  readonly name: string;
  /** The issuer identifier, under which the provider publishes its metadata (OpenID Connect Discovery 1.0). */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** The values of a sign-in that is in progress (OpenID Connect Core, 3.1.2.1; RFC 7636). */
type Checks = { readonly state: string; readonly nonce: string; readonly code_verifier: string };

/** The timeout of a request to the provider, in seconds. */
const TIMEOUT_SECONDS = 10;

/** The time for which the provider's metadata are cached, in milliseconds. */
const METADATA_MS = 3_600_000;

/** Error codes of a provider that has trouble itself (RFC 6749, section 4.1.2.1). */
const TROUBLE = new Set(['server_error', 'temporarily_unavailable']);

/**
 * Signs people in at an OpenID Connect provider by the authorization code flow with PKCE, `state` and `nonce`. It also
 * verifies the signature of the ID token. An unavailable provider is a refusal, and the next sign-in tries again.
 */
export class OpenidProvider implements UpstreamProvider {
  readonly name: string;
  readonly #settings: UpstreamSettings;
  #discovered: { readonly config: Configuration; readonly until: number } | undefined;

  constructor(settings: UpstreamSettings) {
    this.name = settings.name;
    this.#settings = settings;
  }

  async begin(callbackUrl: string): Promise<Outcome<{ url: string; checks: Checks }, 'upstream_unavailable'>> {
    const openid = await openidClient();
    const config = await this.#configuration(openid);
    if (!config.ok) return config;
    const checks = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      code_verifier: openid.randomPKCECodeVerifier(),
    };
    const url = openid.buildAuthorizationUrl(config.value, {
      redirect_uri: callbackUrl,
      scope: 'openid email profile',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(checks.code_verifier),
      code_challenge_method: 'S256',
    });
    return ok({ url: url.href, checks });
  }

  async finish(
    callbackUrl: string,
    checks: UpstreamChecks,
  ): Promise<Outcome<UpstreamIdentity, 'upstream_refused' | 'upstream_unavailable'>> {
    const openid = await openidClient();
    const config = await this.#configuration(openid);
    if (!config.ok) return config;
    try {
      return ok(await this.#identify(openid, config.value, callbackUrl, checks));
    } catch (error) {
      return isRefusal(openid, error) ? refused(error) : unavailable(error);
    }
  }

  async #identify(
    openid: OpenidClient,
    config: Configuration,
    callbackUrl: string,
    { state = '', nonce = '', code_verifier = '' }: UpstreamChecks,
  ): Promise<UpstreamIdentity> {
    const tokens = await openid.authorizationCodeGrant(config, new URL(callbackUrl), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: code_verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims() as IDToken;
    const namesEmail = claims['email'] !== undefined || config.serverMetadata().userinfo_endpoint === undefined;
    // Many providers return the email address only in the UserInfo response.
    const more = namesEmail ? {} : await openid.fetchUserInfo(config, tokens.access_token, claims.sub);
    return identityIn({ ...more, ...claims });
  }

  /** The provider's metadata, read on first use and then every hour. A failure is not cached. */
  async #configuration(openid: OpenidClient): Promise<Outcome<Configuration, 'upstream_unavailable'>> {
    if (this.#discovered && performance.now() < this.#discovered.until) return ok(this.#discovered.config);
    const { issuer, clientId, clientSecret } = this.#settings;
    try {
      const server = new URL(issuer);
      const insecure = server.protocol === 'http:' ? [openid.allowInsecureRequests] : [];
      const config = await openid.discovery(server, clientId, undefined, clientSecretAuth(openid, clientSecret), {
        timeout: TIMEOUT_SECONDS,
        execute: [openid.enableNonRepudiationChecks, ...insecure],
      });
      this.#discovered = { config, until: performance.now() + METADATA_MS };
      return ok(config);
    } catch (error) {
      return unavailable(error);
    }
  }
}

/**
 * Sends the client secret in the header, which every provider accepts unless its metadata name other methods (OpenID
 * Connect Discovery 1.0, section 3); otherwise in the body.
 */
const clientSecretAuth = (openid: OpenidClient, secret: string): ClientAuth => {
  const [inHeader, inBody] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)];
  return (server, ...request) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (ways.includes('client_secret_basic') ? inHeader : inBody)(server, ...request);
  };
};

/** The error code of the standard or of the package, for the operator's log. */
const reasonOf = (error: unknown): string => {
  const { error: oauth, code, message, cause } = error as Record<string, unknown>;
  const [challenge] = Array.isArray(cause) ? (cause as readonly WWWAuthenticateChallenge[]) : [];
  return String(oauth ?? challenge?.parameters.error ?? code ?? message ?? error).slice(0, 200);
};

const refused = (error: unknown): Refused<'upstream_refused'> =>
  refuse('upstream_refused', { message: 'The provider did not sign you in.', data: { reason: reasonOf(error) } });

const unavailable = (error: unknown): Refused<'upstream_unavailable'> =>
  refuse('upstream_unavailable', {
    message: 'The provider does not answer; try again in a moment.',
    data: { reason: reasonOf(error) },
  });

/** True if the provider responded with a refusal or with an invalid response. */
const isRefusal = (openid: OpenidClient, error: unknown): boolean => {
  if (error instanceof openid.AuthorizationResponseError) return !TROUBLE.has(error.error);
  if (error instanceof openid.ResponseBodyError) return error.status < 500;
  if (error instanceof openid.WWWAuthenticateChallengeError) return error.status < 500;
  if (!(error instanceof openid.ClientError)) return false;
  const cause = error.cause;
  if (cause instanceof Response) return cause.status < 500;
  return error.code !== undefined && error.code !== 'OAUTH_TIMEOUT' && error.code !== 'OAUTH_ABORT';
};
