import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { ApiKeys } from '../../ports/outbound/api-keys.ts';
import type { EndApiKey } from './end-api-key.ts';

export type Ports = { apiKeys: ApiKeys; endApiKey: EndApiKey };

/**
 * Revokes the key with this id and the product keys that its bulk activation made (see EndApiKey). Returns the key as
 * it was before.
 */
export class RevokeApiKey {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(permit: Permit, keyId: number): Promise<Outcome<ApiKey, 'key_not_found'>> {
    const { apiKeys, endApiKey } = this.#ports;
    const scope = await apiKeys.scopeOf(keyId);
    const key = scope?.keys.find((one) => one.id === keyId);
    if (!key) return refuse('key_not_found', { message: `There is no key ${keyId}.` });
    await endApiKey.execute(permit, key);
    return ok(key);
  }
}
