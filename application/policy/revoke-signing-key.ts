import { currentKey, type SigningKeyView, signingKeyView, withRevoked } from '../../domain/policy/signing-key-ring.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { SigningKeyRings } from '../../ports/outbound/policy-keys.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Ports = { signingKeyRings: SigningKeyRings; clock: Clock; pauses: Pauses };

/**
 * Removes a key of the client policy from the key set, and deletes its private part. Gives the key that signs from then
 * on; undefined where no key is left.
 */
export class RevokeSigningKey {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(kid: string): Promise<Outcome<SigningKeyView | undefined, 'key_not_found' | 'no_next_key'>> {
    const { signingKeyRings, clock, pauses } = this.#ports;
    return untilWritten(pauses, async () => {
      const read = await signingKeyRings.read();
      const ring = withRevoked(read.ring, kid, clock.now());
      if (!ring.ok) return ring;
      if (!(await signingKeyRings.save(ring.value, read))) return CONFLICT;
      const current = currentKey(ring.value);
      return ok(current && signingKeyView(current));
    });
  }
}
