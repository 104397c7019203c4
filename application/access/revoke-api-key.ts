import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { EndApiKey } from './end-api-key.ts';

export type Ports = Needs<'apiKeys' | 'keySecrets' | 'licenseKeySecrets'> & { endApiKey: EndApiKey };

const UNKNOWN =
  'No live key of this store has this text: it was revoked or cut short, has ended, or is another store’s.';

/**
 * Revokes the key with this id, or with this text, which a person found where it had leaked, and the product keys that its bulk activation made (see EndApiKey). Returns the key as
 * it was before.
 */
export const revokeApiKey =
  ({ apiKeys, keySecrets, licenseKeySecrets, endApiKey }: Ports) =>
  async (permit: Permit, named: number | { readonly text: string }): Promise<Outcome<ApiKey, 'key_not_found'>> => {
    const hash =
      typeof named === 'number' ? undefined : (keySecrets.hash(named.text) ?? licenseKeySecrets.hash(named.text));
    const keyId = typeof named === 'number' ? named : hash && (await apiKeys.find(hash))?.id;
    if (!keyId) return refuse('key_not_found', { message: UNKNOWN });
    const scope = await apiKeys.scopeOf(keyId);
    const key = scope?.keys.find((one) => one.id === keyId);
    if (!key) return refuse('key_not_found', { message: `There is no key ${keyId}.` });
    await endApiKey(permit, key);
    return ok(key);
  };

export type RevokeApiKey = ReturnType<typeof revokeApiKey>;
