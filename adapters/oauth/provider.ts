import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type errors, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { secondsOfDayLeft } from '../../domain/shared/daily-bound.ts';
import { addDays } from '../../domain/shared/instant.ts';
import { CLIENT_DAYS } from '../../domain/sign-in/oauth-grant.ts';
import { FAULT, UNAVAILABLE } from './answers.ts';
import { isBrokenOff } from './broken-off.ts';
import { shownMetadata } from './client-metadata.ts';
import { configuration, type ProviderOptions } from './configuration.ts';
import { type DeviceKeys, endDeviceKey } from './device-grant.ts';
import { routeOf } from './paths.ts';
import { type AdapterPorts, nameOf } from './provider-adapter.ts';
import { currentWrites, issueTokens, TokenWrites } from './token-writes.ts';
import { guarded } from './unavailable.ts';

type Middleware = Parameters<Provider['use']>[0];

const ENDED = { error: 'invalid_grant', error_description: 'grant request is invalid' };

const TOO_MANY = {
  error: 'temporarily_unavailable',
  error_description:
    'Too many tokens for one day. Keep each for its lifetime, and wait the number of seconds in Retry-After.',
};

/** Makes the token endpoint's writes once it has an answer, and answers only if they were made. */
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
    // The grant's use was recorded just now, which happens once a day. Its client is kept as long again.
    if (addDays(last_used_at, 1) <= now) {
      await ports.records.extend(nameOf('client', client_id), addDays(now, CLIENT_DAYS));
    }
  };

/**
 * An error leads back to a client that some account has let in, and is a page for every other one: whoever registers an
 * address of their own could use ours to send people there (RFC 9700, section 4.11.2). The answer to a person who was
 * asked has a path of its own.
 */
const keepingStrangersHere = (provider: Provider, ports: AdapterPorts, options: ProviderOptions): Middleware => {
  const refused = new WeakMap<object, { readonly ctx: KoaContextWithOIDC; readonly error: errors.OIDCProviderError }>();
  provider.on('authorization.error', (ctx, error) => refused.set(ctx, { ctx, error }));
  const hasGrantOf = guarded(ports.fault, (clientId: string) => ports.records.hasGrantOf(clientId));
  return async (ctx, next) => {
    await next();
    const refusal = refused.get(ctx);
    if (!refusal || routeOf(ctx.path) !== 'authorization' || !ctx.response.get('location')) return;
    if (await hasGrantOf(String(ctx.query['client_id']))) return;
    const { error, error_description = '', statusCode } = refusal.error;
    ctx.remove('location');
    // Errors that are answers to `prompt=none` have the status of a redirect.
    ctx.status = Math.max(statusCode, 400);
    await options.renderError(refusal.ctx, { error, error_description }, refusal.error);
  };
};

/** The last resort: a fault of the store is a 503, and no error ends a request without an answer. */
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

/** The provider keeps no session, so that its cookie would mean nothing. */
const withoutSessionCookie =
  (provider: Provider): Middleware =>
  async (ctx, next) => {
    await next();
    const cookies = ctx.res.getHeader('set-cookie');
    if (!Array.isArray(cookies)) return;
    const kept = cookies.filter((cookie) => !cookie.startsWith(`${provider.cookieName('session')}=`));
    if (kept.length > 0) ctx.res.setHeader('set-cookie', kept);
    else ctx.res.removeHeader('set-cookie');
  };

/** The provider knows tokens alone. The key of a device sign-in is ended once it has found the client. */
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
 * The provider with our storage and rules. Its addresses are always those of the issuer, whatever the request's Host
 * and X-Forwarded headers say.
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
