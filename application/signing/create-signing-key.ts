import type { Permit } from '../../domain/access/permit.ts';
import { signingKeyEvent } from '../../domain/audit/key-event.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { KeyUse } from '../../domain/signing/key-use.ts';
import {
  type SigningKeyRing,
  type SigningKeyView,
  signingKeyView,
  withNewKey,
} from '../../domain/signing/signing-key-ring.ts';
import type { AuditLog } from '../../ports/outbound/audit-log.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { KeyRings, SigningKeyMaker } from '../../ports/outbound/signing-keys.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Ports = {
  auditLog: AuditLog;
  signingKeyRings: KeyRings;
  signingKeyMaker: SigningKeyMaker;
  clock: Clock;
  pauses: Pauses;
};

/**
 * Creates a signing key for a use. The first key is in use at once; a later one is listed as the next key. The entry of
 * the audit log comes first, because the ring lies outside of the table.
 */
export class CreateSigningKey {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(permit: Permit, use: KeyUse): Promise<Outcome<SigningKeyView, 'next_key_exists' | 'too_many_keys'>> {
    const { auditLog, signingKeyRings, signingKeyMaker, clock, pauses } = this.#ports;
    const rings = signingKeyRings[use];
    const made = signingKeyMaker.newKey();
    return untilWritten(pauses, async () => {
      const read = await rings.read();
      const ring = withNewKey(read.ring, made, clock.now());
      if (!ring.ok) return ring;
      await auditLog.add(permit, signingKeyEvent(use, made.kid, 'created'));
      return (await rings.save(ring.value, read))
        ? ok(signingKeyView(ring.value.at(-1) as SigningKeyRing[number]))
        : CONFLICT;
    });
  }
}
