import type { ApiKey } from '../../domain/access/api-key.ts';
import { admitKey } from '../../domain/access/key-quota.ts';
import { judgeKeyWish, type KeyWish, newKey } from '../../domain/access/new-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import type { EndApiKey } from './end-api-key.ts';

export type Ports = Needs<'accounts' | 'apiKeys' | 'catalogs' | 'clock' | 'ids' | 'keySecrets' | 'pauses'> & {
  keyQuota: number;
  endApiKey: EndApiKey;
};

/** A new key and its value, which is stored nowhere, and the key whose place it took; null where a place was free. */
export type CreatedKey = { readonly value: string; readonly key: ApiKey; readonly replaced: ApiKey | null };

export type Refusal = 'key_limit_reached' | 'account_not_found' | 'product_not_found' | 'expiry_has_passed';

/** Creates a key within the quota of its scope. The quota holds exactly, however many calls run at once. */
export const createApiKey =
  ({ accounts, apiKeys, catalogs, keySecrets, keyQuota, ids, clock, pauses, endApiKey }: Ports) =>
  async (permit: Permit, wish: KeyWish): Promise<Outcome<CreatedKey, Refusal>> => {
    const [account, { products }] = await Promise.all([accounts.get(wish.account_id), catalogs.current()]);
    const judged = judgeKeyWish(wish, account, products, clock.now());
    if (!judged.ok) return judged;
    const created = await untilWritten(pauses, async () => {
      const now = clock.now();
      const scope = await apiKeys.scope(wish.account_id, wish.product_id ?? null);
      const admitted = admitKey(scope, keyQuota, now, wish.device?.client ?? null);
      if (!admitted.ok) return admitted;
      const { revoke } = admitted.value;
      const { value, ...shown } = keySecrets.mint();
      const key = newKey(wish, { id: ids.next(), ...shown }, now);
      if (!(await apiKeys.change(permit, scope, { add: key, revoke }, now))) return CONFLICT;
      return ok({ value, key, replaced: revoke[0] ?? null });
    });
    // `change` revoked the replaced key itself; this also revokes the product keys of its bulk activation.
    if (created.ok && created.value.replaced) await endApiKey(permit, created.value.replaced);
    return created;
  };

export type CreateApiKey = ReturnType<typeof createApiKey>;
