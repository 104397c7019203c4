import {
  currentKey,
  type SigningKey,
  type SigningKeyView,
  signingKeyView,
  withActivated,
} from '../../domain/policy/signing-key-ring.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { SigningKeyRings } from '../../ports/outbound/policy-keys.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Ports = { signingKeyRings: SigningKeyRings; clock: Clock; pauses: Pauses };

/**
 * Makes the next key sign the client policy. `unlisted` allows a key that clients may not have seen in the key set yet.
 */
export class ActivateSigningKey {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(how: { unlisted?: boolean } = {}): Promise<Outcome<SigningKeyView, 'no_next_key' | 'key_too_new'>> {
    const { signingKeyRings, clock, pauses } = this.#ports;
    return untilWritten(pauses, async () => {
      const read = await signingKeyRings.read();
      const ring = withActivated(read.ring, clock.now(), how);
      if (!ring.ok) return ring;
      return (await signingKeyRings.save(ring.value, read))
        ? ok(signingKeyView(currentKey(ring.value) as SigningKey))
        : CONFLICT;
    });
  }
}
