import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { ApiKeys } from '../../ports/outbound/credentials.ts';
import type { EndApiKey } from '../access/end-api-key.ts';

export type Ports = { apiKeys: ApiKeys; endApiKey: EndApiKey };

/** Revokes one of an account's keys (see EndApiKey). Another account's key answers as if there were none. */
export const revokeOwnKey =
  ({ apiKeys, endApiKey }: Ports) =>
  async (permit: Permit, accountId: number, keyId: number): Promise<Outcome<ApiKey, 'key_not_found'>> => {
    const scope = await apiKeys.scopeOf(keyId);
    const key = scope?.account_id === accountId ? scope.keys.find(({ id }) => id === keyId) : undefined;
    if (!key) return refuse('key_not_found', { message: `There is no key ${keyId}.` });
    await endApiKey(permit, key);
    return ok(key);
  };

export type RevokeOwnKey = ReturnType<typeof revokeOwnKey>;
