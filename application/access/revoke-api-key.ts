import type { ApiKey } from '../../domain/access/api-key.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { ApiKeys } from '../../ports/outbound/api-keys.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Ports = { apiKeys: ApiKeys; clock: Clock; pauses: Pauses };

/**
 * Revokes a key and the product keys that its bulk activation made: what was signed in through it ends with it. From the
 * next request on each is refused. The product keys go first, so that a call that broke off can be made again, and once
 * more at the end, for those that were made in between. Revoking a revoked key changes nothing else.
 */
export class RevokeApiKey {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(keyId: number): Promise<Outcome<ApiKey, 'key_not_found'>> {
    const ring = await this.#ports.apiKeys.ringOf(keyId);
    const key = ring?.keys.find((one) => one.id === keyId);
    if (!ring || !key) return refuse('key_not_found', { message: `There is no key ${keyId}.` });
    await this.#revokeChildren(ring.account_id, keyId);
    await this.#revoke(ring.account_id, ring.product_id, [keyId]);
    await this.#revokeChildren(ring.account_id, keyId);
    return ok(key);
  }

  async #revokeChildren(accountId: number, keyId: number): Promise<void> {
    for (const { product_id, keys } of await this.#ports.apiKeys.rings(accountId)) {
      const children = keys.filter((child) => child.parent_id === keyId).map((child) => child.id);
      await this.#revoke(accountId, product_id, children);
    }
  }

  async #revoke(accountId: number, productId: number | null, ids: readonly number[]): Promise<void> {
    const { apiKeys, clock, pauses } = this.#ports;
    if (ids.length === 0) return;
    await untilWritten(pauses, async () => {
      const ring = await apiKeys.ring(accountId, productId);
      const revoke = ring.keys.filter((key) => ids.includes(key.id) && key.revoked_at === null);
      const written = revoke.length === 0 || (await apiKeys.change(ring, { revoke }, clock.now()));
      return written ? undefined : CONFLICT;
    });
  }
}
