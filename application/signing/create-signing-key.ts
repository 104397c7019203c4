import type { Permit } from '../../domain/access/permit.ts';
import { signingKeyEvent } from '../../domain/audit/event.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { KeyUse } from '../../domain/signing/key-use.ts';
import {
  type SigningKeyRing,
  type SigningKeyView,
  signingKeyView,
  withNewKey,
} from '../../domain/signing/signing-key-ring.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { SigningKeyMaker } from '../../ports/outbound/signing.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

export type Ports = Needs<'auditLog' | 'clock' | 'pauses' | 'signingKeyMaker' | 'signingKeyRings'>;

/**
 * Creates a signing key for a use, or takes one that was made elsewhere. The first key is in use at once; a later one
 * is listed as the next key.
 */
export const createSigningKey =
  ({ auditLog, signingKeyRings, signingKeyMaker, clock, pauses }: Ports) =>
  async (
    permit: Permit,
    use: KeyUse,
    own?: ReturnType<SigningKeyMaker['newKey']>,
  ): Promise<Outcome<SigningKeyView, 'key_exists' | 'next_key_exists' | 'too_many_keys'>> => {
    const rings = signingKeyRings[use];
    const made = own ?? signingKeyMaker.newKey();
    return untilWritten(pauses, async () => {
      const read = await rings.read();
      const now = clock.now();
      const ring = withNewKey(read.ring, made, now);
      if (!ring.ok) return ring;
      const view = signingKeyView(ring.value, ring.value.at(-1) as SigningKeyRing[number], now);
      // The ring lies outside the table, so that the entry is written before the change.
      await auditLog.add(permit, signingKeyEvent(use, view.kid, 'created'));
      return (await rings.save(ring.value, read)) ? ok(view) : CONFLICT;
    });
  };

export type CreateSigningKey = ReturnType<typeof createSigningKey>;
