import type { ApiKey } from '../../domain/access/api-key.ts';
import { childrenOf } from '../../domain/access/device-keys.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { ReadScopeKeys } from '../../ports/outbound/credentials.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, rereading } from '../shared/contended.ts';

export type Ports = Needs<'apiKeys' | 'clock' | 'pauses'>;

/**
 * Revokes a key and the product keys that its bulk activation made. Each of them is refused from the next request on.
 * The product keys are revoked first, so that a call that broke off can be repeated, and once more at the end, for
 * product keys made in between. A key that is already revoked stays as it is.
 */
export const endApiKey = ({ apiKeys, clock, pauses }: Ports) => {
  const revokeChildren = async (permit: Permit, scopes: readonly ReadScopeKeys[], key: ApiKey): Promise<void> => {
    await Promise.all(scopes.map((scope) => revokeIn(permit, scope, childrenOf(scope.keys, key))));
  };

  const revokeIn = async (permit: Permit, first: ReadScopeKeys, keys: readonly ApiKey[]): Promise<void> => {
    if (keys.length === 0) return;
    const ids = new Set(keys.map(({ id }) => id));
    const read = () => apiKeys.scope(first.account_id, first.product_id);
    await rereading(pauses, first, read, async (scope) => {
      const revoke = scope.keys.filter((key) => ids.has(key.id) && key.revoked_at === null);
      const written = revoke.length === 0 || (await apiKeys.change(permit, scope, { revoke }, clock.now()));
      return written ? undefined : CONFLICT;
    });
  };

  return async (permit: Permit, key: ApiKey): Promise<void> => {
    const scopes = await apiKeys.scopes(key.account_id);
    await revokeChildren(permit, scopes, key);
    const own = scopes.find((scope) => scope.product_id === key.product_id);
    if (own) await revokeIn(permit, own, [key]);
    await revokeChildren(permit, await apiKeys.scopes(key.account_id), key);
  };
};

export type EndApiKey = ReturnType<typeof endApiKey>;
