import {
  type SigningKeyRing,
  type SigningKeyView,
  signingKeyView,
  withNewKey,
} from '../../domain/policy/signing-key-ring.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { PolicySigner, SigningKeyRings } from '../../ports/outbound/policy-keys.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Ports = { signingKeyRings: SigningKeyRings; policySigner: PolicySigner; clock: Clock; pauses: Pauses };

/**
 * Creates a signing key for the client policy. The first key is in use at once; a later one is listed as the next key.
 */
export class CreateSigningKey {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(): Promise<Outcome<SigningKeyView, 'next_key_exists' | 'too_many_keys'>> {
    const { signingKeyRings, policySigner, clock, pauses } = this.#ports;
    const made = policySigner.newKey();
    return untilWritten(pauses, async () => {
      const read = await signingKeyRings.read();
      const ring = withNewKey(read.ring, made, clock.now());
      if (!ring.ok) return ring;
      return (await signingKeyRings.save(ring.value, read))
        ? ok(signingKeyView(ring.value.at(-1) as SigningKeyRing[number]))
        : CONFLICT;
    });
  }
}
