import { currentKey, type SigningKey, withActivated } from '../../domain/policy/key-ring.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { KeyRings } from '../../ports/outbound/policy-keys.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Ports = { keyRings: KeyRings; clock: Clock; pauses: Pauses };

/** Brings the next key of the client policy into use. `unlisted` does so before clients can know of it. */
export class ActivateSigningKey {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(how: { unlisted?: boolean } = {}): Promise<Outcome<SigningKey, 'no_next_key' | 'key_too_new'>> {
    const { keyRings, clock, pauses } = this.#ports;
    return untilWritten(pauses, async () => {
      const read = await keyRings.read();
      const ring = withActivated(read.ring, clock.now(), how);
      if (!ring.ok) return ring;
      return (await keyRings.save(ring.value, read)) ? ok(currentKey(ring.value) as SigningKey) : CONFLICT;
    });
  }
}
