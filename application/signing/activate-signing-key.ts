import type { Permit } from '../../domain/access/permit.ts';
import { signingKeyEvent } from '../../domain/audit/event.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import { handoverMs, type KeyUse } from '../../domain/signing/key-use.ts';
import {
  currentKey,
  handoverAt,
  type SigningKey,
  type SigningKeyView,
  signingKeyView,
  withActivated,
  withRetired,
} from '../../domain/signing/signing-key-ring.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

export type Ports = Needs<'auditLog' | 'clock' | 'pauses' | 'signingKeyRings'>;

export type Activation = {
  /** Allows a key that clients may not have seen in the key set yet, and lets it sign at once. */
  readonly unlisted?: boolean;
  /** Called with the moment from which the key signs, where that is still to come. */
  readonly scheduled?: (kid: string, from: Instant) => void;
};

/**
 * Makes the next key of a use sign. Every instance changes to it at one moment, which lies so far ahead that each has
 * read of it. The call waits for that moment, then deletes the private part of the key before. A call that is broken
 * off leaves that part until the next change of the ring.
 */
export const activateSigningKey = ({ auditLog, signingKeyRings, clock, pauses }: Ports) => {
  /** Deletes the private parts of keys that sign no more from the moment on. */
  const retire = async (use: KeyUse, from: Instant): Promise<void> => {
    const rings = signingKeyRings[use];
    await untilWritten(pauses, async () => {
      const read = await rings.read();
      return (await rings.save(withRetired(read.ring, from), read)) ? ok(null) : CONFLICT;
    });
  };

  return async (
    permit: Permit,
    use: KeyUse,
    { unlisted = false, scheduled }: Activation = {},
  ): Promise<Outcome<SigningKeyView, 'no_next_key' | 'key_too_new'>> => {
    const rings = signingKeyRings[use];
    const ms = unlisted ? 0 : handoverMs(use, rings.keptFor);
    const activated = await untilWritten(pauses, async () => {
      const now = clock.now();
      const read = await rings.read();
      const ring = withActivated(read.ring, use, now, { unlisted, in: ms });
      if (!ring.ok) return ring;
      const from = handoverAt(ring.value, now) ?? now;
      const key = currentKey(ring.value, from) as SigningKey;
      // The ring lies outside the table, so that the entry is written before the change.
      await auditLog.add(permit, signingKeyEvent(use, key.kid, 'activated'));
      return (await rings.save(ring.value, read))
        ? ok({ from, view: signingKeyView(ring.value, key, from) })
        : CONFLICT;
    });
    if (!activated.ok) return activated;
    const { from, view } = activated.value;
    if (ms > 0) {
      scheduled?.(view.kid, from);
      await pauses.until(from);
      await retire(use, from);
    }
    return ok(view);
  };
};

export type ActivateSigningKey = ReturnType<typeof activateSigningKey>;
