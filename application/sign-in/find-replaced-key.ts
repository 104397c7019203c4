import type { ApiKey } from '../../domain/access/api-key.ts';
import { admitKey } from '../../domain/access/key-quota.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

/** `keyQuota` is the number of live keys that a scope may have. */
export type Ports = Needs<'apiKeys' | 'clock'> & { keyQuota: number };

/** Finds the key whose place another device of the client would take now; null where none has to give way. */
export const findReplacedKey =
  ({ apiKeys, keyQuota, clock }: Ports) =>
  async (accountId: number, clientId: string): Promise<ApiKey | null> => {
    const admitted = admitKey(await apiKeys.scope(accountId, null), keyQuota, clock.now(), clientId);
    return (admitted.ok && admitted.value.revoke[0]) || null;
  };

export type FindReplacedKey = ReturnType<typeof findReplacedKey>;
