import { hash as digest } from 'node:crypto';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { hasPassed, type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import { deviceClient } from '../../domain/sign-in/device-sign-in.ts';
import {
  CLIENT_DAYS,
  type ConnectedApp,
  grantEnd,
  isLiveGrant,
  isWithinGrace,
  UNUSED_CLIENT_DAYS,
} from '../../domain/sign-in/oauth-grant.ts';
import type { Catalogs } from '../../ports/outbound/catalog.ts';
import type { OAuthKind, OAuthName, OAuthRecord } from '../../ports/outbound/oauth-records.ts';
import { guarded } from './answers.ts';
import { DEVICE_GRANT } from './paths.ts';
import { currentWrites, issueTokens, type TokenPorts, TokenWrites } from './token-writes.ts';

export type AdapterPorts = TokenPorts & {
  /** The applications of the catalog are clients of device sign-in. */
  readonly catalogs: Pick<Catalogs, 'current'>;
  /** Collects the ids of the device sign-in clients that the provider looked up. */
  readonly deviceClients: Set<string>;
  /** The only resource that tokens are issued for. */
  readonly resource: string;
  readonly fault: (error: unknown) => void;
};

/** The provider's models that are stored, by the provider's names. */
const KINDS: Readonly<Record<string, OAuthKind>> = {
  Client: 'client',
  RegistrationAccessToken: 'registration_token',
  Interaction: 'interaction',
  AuthorizationCode: 'authorization_code',
  AccessToken: 'access_token',
  RefreshToken: 'refresh_token',
};

const DAY_S = 86_400;
const seconds = (instant: Instant): number => Math.floor(millis(instant) / 1000);

export const nameOf = (kind: OAuthKind, id: string): OAuthName => ({ kind, hash: digest('sha256', id, 'hex') });

/** The payload without the record's id. An interaction repeats its id in the URL at which it continues. */
const withoutId = ({ jti: _, returnTo: __, ...payload }: AdapterPayload): Record<string, unknown> => payload;

const never = async (): Promise<never> => {
  throw new Error('The authorization server never looks these up.');
};

/**
 * The provider's sessions are not stored: each authorization asks the account's owner again, who is signed in to the
 * pages.
 */
const unkept: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: never,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/** The grant as the provider expects it. */
const grantPayload = (app: ConnectedApp, resource: string): AdapterPayload => ({
  kind: 'Grant',
  jti: app.grant_id,
  accountId: String(app.account_id),
  clientId: app.client_id,
  resources: { [resource]: app.permissions.join(' ') },
  iat: seconds(app.created_at),
  exp: seconds(grantEnd(app)),
});

const grants = ({ oauthRecords, clock, resource, fault }: AdapterPorts): Adapter => ({
  ...unkept,
  upsert: never,
  find: guarded(fault, async (id) => {
    const grant = await oauthRecords.grant(id);
    return grant && isLiveGrant(grant.app, clock.now()) ? grantPayload(grant.app, resource) : undefined;
  }),
  destroy: guarded(fault, (id) => oauthRecords.endGrant(id)),
  revokeByGrantId: guarded(fault, (id) => oauthRecords.endGrant(id)),
});

/** A device sign-in client as the provider expects it. It has no redirect URIs. */
const deviceClientPayload = (client_id: string): AdapterPayload => ({
  client_id,
  token_endpoint_auth_method: 'none',
  grant_types: [DEVICE_GRANT],
  response_types: [],
  redirect_uris: [],
});

/** The lifetime in seconds of a record without its own expiry. */
const lifetime = (kind: OAuthKind): number => (kind === 'client' ? UNUSED_CLIENT_DAYS : CLIENT_DAYS) * DAY_S;

const recordsOf = (kind: OAuthKind, ports: AdapterPorts, resumeUrl: string): Adapter => {
  const { catalogs, deviceClients, oauthRecords, clock, fault } = ports;

  const restored = (id: string, { payload, consumed_at }: OAuthRecord, now: Instant): AdapterPayload => {
    const used = consumed_at !== null && !(kind === 'refresh_token' && isWithinGrace(consumed_at, now));
    return {
      ...payload,
      ...(kind !== 'client' && { jti: id }),
      ...(kind === 'interaction' && { returnTo: `${resumeUrl}/${id}` }),
      ...(used && { consumed: seconds(consumed_at) }),
    };
  };

  const upsert = async (id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> => {
    const expires_at = toInstant(millis(clock.now()) + (expiresIn ?? lifetime(kind)) * 1000);
    const grant_id = (kind !== 'interaction' && (payload.grantId as string | undefined)) || null;
    const record: OAuthRecord = { payload: withoutId(payload), grant_id, expires_at, consumed_at: null };
    const name = nameOf(kind, id);
    if (grant_id === null) return oauthRecords.save(name, await keepingEnd(name, record));
    const writes = currentWrites.getStore();
    if (writes) return writes.add({ ...name, record });
    const alone = new TokenWrites();
    alone.add({ ...name, record });
    if (!(await issueTokens(ports, alone)).ok) throw new errors.AccessDenied('the grant was ended');
  };

  /** Updating a client does not change its expiry. */
  const keepingEnd = async (name: OAuthName, record: OAuthRecord): Promise<OAuthRecord> => {
    const before = kind === 'client' ? await oauthRecords.find(name) : undefined;
    return before ? { ...record, expires_at: before.record.expires_at } : record;
  };

  return {
    findByUid: never,
    findByUserCode: never,
    upsert: guarded(fault, upsert),
    find: guarded(fault, async (id) => {
      if (kind === 'client' && deviceClient(id, (await catalogs.current()).productsByBundleId)) {
        deviceClients.add(id);
        return deviceClientPayload(id);
      }
      const read = await oauthRecords.find(nameOf(kind, id));
      const now = clock.now();
      return read && !hasPassed(read.record.expires_at, now) ? restored(id, read.record, now) : undefined;
    }),
    consume: guarded(fault, async (id) => {
      const writes = currentWrites.getStore();
      if (!writes) throw new Error('Only the token endpoint uses up codes and refresh tokens.');
      writes.consume(nameOf(kind, id));
    }),
    destroy: guarded(fault, async (id) => {
      // RFC 7592, section 2.3. The client's record is removed last, so that the client can retry after a fault.
      if (kind === 'client') await oauthRecords.endGrantsOf(id);
      await oauthRecords.remove(nameOf(kind, id));
    }),
    revokeByGrantId: guarded(fault, (id) => oauthRecords.endGrant(id)),
  };
};

/**
 * The provider's storage on top of our records, with one adapter for each of its models. `resumeUrl` is the
 * authorization endpoint.
 */
export const providerAdapter = (ports: AdapterPorts, resumeUrl: string) => {
  return (model: string): Adapter => {
    if (model === 'Grant') return grants(ports);
    const kind = KINDS[model];
    return kind === undefined ? unkept : recordsOf(kind, ports, resumeUrl);
  };
};
