import type { Permit } from '../../domain/access/permit.ts';
import { signingKeyEvent } from '../../domain/audit/event.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { KeyUse } from '../../domain/signing/key-use.ts';
import { currentKey, type SigningKeyView, signingKeyView, withRevoked } from '../../domain/signing/signing-key-ring.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

export type Ports = Needs<'auditLog' | 'clock' | 'pauses' | 'signingKeyRings'>;

/**
 * Removes a key from its ring, so that nothing that it signed counts any more, and deletes its private part. Gives the
 * key that signs from then on; undefined where no key is left.
 */
export const revokeSigningKey =
  ({ auditLog, signingKeyRings, clock, pauses }: Ports) =>
  async (
    permit: Permit,
    use: KeyUse,
    kid: string,
  ): Promise<Outcome<SigningKeyView | undefined, 'key_not_found' | 'no_next_key'>> => {
    const rings = signingKeyRings[use];
    return untilWritten(pauses, async () => {
      const read = await rings.read();
      const now = clock.now();
      const ring = withRevoked(read.ring, use, kid, now);
      if (!ring.ok) return ring;
      // The ring lies outside the table, so that the entry is written before the change.
      await auditLog.add(permit, signingKeyEvent(use, kid, 'revoked'));
      if (!(await rings.save(ring.value, read))) return CONFLICT;
      const current = currentKey(ring.value, now);
      return ok(current && signingKeyView(ring.value, current, now));
    });
  };

export type RevokeSigningKey = ReturnType<typeof revokeSigningKey>;
