import type { ApiKey } from '../../domain/access/api-key.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { ApiKeys, ReadRing } from '../../ports/outbound/api-keys.ts';
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
    if (!key) return refuse('key_not_found', { message: `There is no key ${keyId}.` });
    await this.revoke(key);
    return ok(key);
  }

  /** The same for a key at hand, without looking for it. */
  async revoke({ id, account_id, product_id }: ApiKey): Promise<void> {
    const { apiKeys } = this.#ports;
    const rings = await apiKeys.rings(account_id);
    await this.#revokeChildren(rings, id);
    const own = rings.find((ring) => ring.product_id === product_id);
    if (own) await this.#revoke(own, [id]);
    await this.#revokeChildren(await apiKeys.rings(account_id), id);
  }

  async #revokeChildren(rings: readonly ReadRing[], keyId: number): Promise<void> {
    await Promise.all(
      rings.map((ring) => {
        const children = ring.keys.filter((child) => child.parent_id === keyId).map((child) => child.id);
        return this.#revoke(ring, children);
      }),
    );
  }

  /** Decides on the ring as it was read first, and reads it again where it has changed. */
  async #revoke(read: ReadRing, ids: readonly number[]): Promise<void> {
    const { apiKeys, clock, pauses } = this.#ports;
    if (ids.length === 0) return;
    let known: ReadRing | undefined = read;
    await untilWritten(pauses, async () => {
      const ring = known ?? (await apiKeys.ring(read.account_id, read.product_id));
      known = undefined;
      const revoke = ring.keys.filter((key) => ids.includes(key.id) && key.revoked_at === null);
      const written = revoke.length === 0 || (await apiKeys.change(ring, { revoke }, clock.now()));
      return written ? undefined : CONFLICT;
    });
  }
}
