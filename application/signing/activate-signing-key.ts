import type { Permit } from '../../domain/access/permit.ts';
import { signingKeyEvent } from '../../domain/audit/key-event.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { KeyUse } from '../../domain/signing/key-use.ts';
import {
  currentKey,
  type SigningKey,
  type SigningKeyView,
  signingKeyView,
  withActivated,
} from '../../domain/signing/signing-key-ring.ts';
import type { AuditLog } from '../../ports/outbound/audit-log.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { KeyRings } from '../../ports/outbound/signing-keys.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Ports = { auditLog: AuditLog; signingKeyRings: KeyRings; clock: Clock; pauses: Pauses };

/**
 * Makes the next key of a use sign. `unlisted` allows a key that clients may not have seen in the key set yet.
 */
export class ActivateSigningKey {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(
    permit: Permit,
    use: KeyUse,
    how: { unlisted?: boolean } = {},
  ): Promise<Outcome<SigningKeyView, 'no_next_key' | 'key_too_new'>> {
    const { auditLog, signingKeyRings, clock, pauses } = this.#ports;
    const rings = signingKeyRings[use];
    return untilWritten(pauses, async () => {
      const read = await rings.read();
      const ring = withActivated(read.ring, use, clock.now(), how);
      if (!ring.ok) return ring;
      const view = signingKeyView(currentKey(ring.value) as SigningKey);
      // The ring lies outside the table, so that the entry is written before the change.
      await auditLog.add(permit, signingKeyEvent(use, view.kid, 'activated'));
      return (await rings.save(ring.value, read)) ? ok(view) : CONFLICT;
    });
  }
}
