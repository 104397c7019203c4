import { currentKey, type SigningKey, withRevoked } from '../../domain/policy/key-ring.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { KeyRings } from '../../ports/outbound/policy-keys.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Ports = { keyRings: KeyRings; clock: Clock; pauses: Pauses };

/**
 * Takes a key of the client policy off the list that clients verify with, and its private part from where keys are kept.
 * Gives the key that signs from then on.
 */
export class RevokeSigningKey {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(kid: string): Promise<Outcome<SigningKey | undefined, 'key_not_found' | 'no_next_key'>> {
    const { keyRings, clock, pauses } = this.#ports;
    return untilWritten(pauses, async () => {
      const read = await keyRings.read();
      const ring = withRevoked(read.ring, kid, clock.now());
      if (!ring.ok) return ring;
      return (await keyRings.save(ring.value, read)) ? ok(currentKey(ring.value)) : CONFLICT;
    });
  }
}
