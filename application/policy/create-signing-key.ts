import { type PolicyKeyRing, type SigningKey, withNewKey } from '../../domain/policy/key-ring.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { KeyRings, PolicySigner } from '../../ports/outbound/policy-keys.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Ports = { keyRings: KeyRings; policySigner: PolicySigner; clock: Clock; pauses: Pauses };

/** Makes a key for the client policy: the first is in use at once, a later one is listed as the next. */
export class CreateSigningKey {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(): Promise<Outcome<SigningKey, 'next_key_exists' | 'too_many_keys'>> {
    const { keyRings, policySigner, clock, pauses } = this.#ports;
    const made = policySigner.newKey();
    return untilWritten(pauses, async () => {
      const read = await keyRings.read();
      const ring = withNewKey(read.ring, made, clock.now());
      if (!ring.ok) return ring;
      return (await keyRings.save(ring.value, read)) ? ok(ring.value.at(-1) as PolicyKeyRing[number]) : CONFLICT;
    });
  }
}
