import { type ApiKey, endedByUse, isLive, useIsUnrecorded } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import {
  type AccountPrincipal,
  type AgentPrincipal,
  principalOfKey,
  principalOfToken,
} from '../../domain/access/principal.ts';
import { isUnclaimed } from '../../domain/licensing/key-batch.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ClaimKey } from '../licensing/claim-key.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

const SUSPENDED = 'This account is suspended; contact the store.';

const UNUSED = refuse('invalid_api_key', {
  message: 'Nobody has used this license key yet; enter it in the application, or redeem it in your account first.',
});

type Ports = Needs<'apiKeys' | 'clock' | 'keySecrets' | 'licenseKeySecrets'> & { claimKey: ClaimKey };

/**
 * The principal of the live API key or license key with this value. A malformed value is refused without a lookup. A
 * suspended account's key is refused too, except by endpoints that answer suspended accounts. The first use of a key of
 * a batch claims it, and is refused without a permit.
 */
export const authenticate = ({ apiKeys, keySecrets, licenseKeySecrets, clock, claimKey }: Ports) =>
  async function authenticate(
    value: string,
    evenSuspended = false,
    permit: Permit | null = null,
  ): Promise<Outcome<AccountPrincipal, 'invalid_api_key'>> {
    const hash = keySecrets.hash(value) ?? licenseKeySecrets.hash(value);
    const found = hash && (await apiKeys.findEither(hash));
    const isUnused = found && isUnclaimed(found);
    if (isUnused && !permit) return UNUSED;
    const claimed = isUnused && permit ? await claimKey(permit, found, null) : undefined;
    const key = isUnused ? claimed?.ok && claimed.value : found;
    if (!key || !isLive(key, clock.now())) return refuse('invalid_api_key');
    return key.suspended && !evenSuspended
      ? refuse('invalid_api_key', { message: SUSPENDED })
      : ok(principalOfKey(key));
  };

export type Authenticate = ReturnType<typeof authenticate>;

/** The principal of the live agent token with this value. A malformed value is refused without a lookup. */
export const authenticateAgent = ({ agentTokens, agentTokenSecrets }: Needs<'agentTokenSecrets' | 'agentTokens'>) =>
  async function authenticateAgent(value: string): Promise<Outcome<AgentPrincipal, 'invalid_api_key'>> {
    const hash = agentTokenSecrets.hash(value);
    const token = hash && (await agentTokens.find(hash));
    return token ? ok(principalOfToken(token)) : refuse('invalid_api_key');
  };

export type AuthenticateAgent = ReturnType<typeof authenticateAgent>;

/**
 * Records the use of a key at most once an hour: a device key in use does not expire, and the least recently used key
 * is known to the hour. The first use of a license key ends those that it replaces, before it is recorded, so an
 * interrupted call is repeated with the next use. Without a permit that use is not recorded. Undefined if this hour's
 * use is already recorded, which saves the caller a promise.
 */
export const recordKeyUse = ({ clock, apiKeys, pauses }: Needs<'apiKeys' | 'clock' | 'pauses'>) => {
  const endReplaced = (permit: Permit, key: ApiKey): Promise<boolean> =>
    untilWritten(pauses, async () => {
      const scope = await apiKeys.scope(key.account_id, key.product_id);
      const revoke = endedByUse(scope, key);
      return revoke.length === 0 || (await apiKeys.change(permit, scope, { revoke }, clock.now())) || CONFLICT;
    });

  return function recordKeyUse(key: ApiKey, permit: Permit | null = null): Promise<void> | undefined {
    const now = clock.now();
    if (!useIsUnrecorded(key, now)) return undefined;
    if (key.last_used_at !== null || !key.replaces) return apiKeys.touch(key, now);
    return permit ? endReplaced(permit, key).then(() => apiKeys.touch(key, now)) : undefined;
  };
};

export type RecordKeyUse = ReturnType<typeof recordKeyUse>;
