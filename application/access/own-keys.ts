import { type ApiKey, admitKey } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { ApiKeys } from '../../ports/outbound/access.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { EndApiKey } from './api-keys.ts';

/** `keyQuota` is the number of live keys that a scope may have. */
export type FindReplacedKeyPorts = Needs<'apiKeys' | 'clock'> & { keyQuota: number };

/** The key that another device of the client would replace, or null. */
export const findReplacedKey = ({ apiKeys, keyQuota, clock }: FindReplacedKeyPorts) =>
  async function findReplacedKey(account_id: number, clientId: string): Promise<ApiKey | null> {
    const admitted = admitKey(await apiKeys.scope(account_id, null), keyQuota, clock.now(), clientId);
    return (admitted.ok && admitted.value.revoke[0]) || null;
  };

/** Revokes one of an account's keys (see EndApiKey). Another account's key counts as unknown. */
export const revokeOwnKey = ({ apiKeys, endApiKey }: { apiKeys: ApiKeys; endApiKey: EndApiKey }) =>
  async function revokeOwnKey(
    permit: Permit,
    account_id: number,
    key_id: number,
  ): Promise<Outcome<ApiKey, 'key_not_found'>> {
    const scope = await apiKeys.scopeOf(key_id);
    const key = scope?.account_id === account_id ? scope.keys.find(({ id }) => id === key_id) : undefined;
    if (!key) return refuse('key_not_found', { message: `There is no key ${key_id}.` });
    await endApiKey(permit, key);
    return ok(key);
  };
