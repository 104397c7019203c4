import type { Permit } from '../../domain/access/permit.ts';
import { signingKeyEvent } from '../../domain/audit/event.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import { handoverMs, type KeyUse } from '../../domain/signing/key-use.ts';
import {
  currentKey,
  firstRing,
  handoverAt,
  type PublicJwk,
  publicJwk,
  type SigningKey,
  type SigningKeyRing,
  type SigningKeyView,
  signingKeyView,
  withActivated,
  withNewKey,
  withRetired,
  withRevoked,
} from '../../domain/signing/signing-key-ring.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { SigningKeyMaker } from '../../ports/outbound/signing.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { resealWebhooks } from '../webhooks/webhooks.ts';

/**
 * Creates a signing key for a use, or imports one. The first key is current immediately; a later one is listed as the
 * next key.
 */
export const createSigningKey = ({
  auditLog,
  signingKeyRings,
  signingKeyMaker,
  clock,
  pauses,
}: Needs<'auditLog' | 'clock' | 'pauses' | 'signingKeyMaker' | 'signingKeyRings'>) =>
  async function createSigningKey(
    permit: Permit,
    use: KeyUse,
    own?: ReturnType<SigningKeyMaker['newKey']>,
  ): Promise<Outcome<SigningKeyView, 'key_exists' | 'next_key_exists' | 'too_many_keys'>> {
    const rings = signingKeyRings[use];
    const made = own ?? signingKeyMaker.newKey();
    return untilWritten(pauses, async () => {
      const read = await rings.read({ brings: own !== undefined });
      const now = clock.now();
      const ring = withNewKey(read.ring, made, now);
      if (!ring.ok) return ring;
      const view = signingKeyView(ring.value, ring.value.at(-1) as SigningKeyRing[number], now);
      // The ring is outside the table, so the audit entry is written before the change.
      await auditLog.add(permit, signingKeyEvent(use, view.kid, 'created'));
      return (await rings.save(ring.value, read)) ? ok(view) : CONFLICT;
    });
  };

/** Creates the first key that signs the client policy. An existing key stays. */
export const createPolicyKey = ({
  auditLog,
  signingKeyRings: { policy },
  signingKeyMaker,
  clock,
  pauses,
}: Needs<'auditLog' | 'clock' | 'pauses' | 'signingKeyMaker' | 'signingKeyRings'>) =>
  function createPolicyKey(
    permit: Permit,
  ): Promise<{ readonly kid: string; readonly result: 'created' | 'unchanged' }> {
    return untilWritten(pauses, async () => {
      const read = await policy.read();
      const now = clock.now();
      const signing = currentKey(read.ring, now);
      if (signing) return { kid: signing.kid, result: 'unchanged' };
      const made = signingKeyMaker.newKey();
      // The ring is outside the table, so the audit entry is written before the change.
      await auditLog.add(permit, signingKeyEvent('policy', made.kid, 'created'));
      const isSaved = await policy.save([...read.ring, ...firstRing(made, now)], read);
      return isSaved ? { kid: made.kid, result: 'created' } : CONFLICT;
    });
  };

export type Activation = {
  /** Allows a key that clients may not have seen in the key set yet, and lets it sign immediately. */
  readonly unlisted?: boolean;
  /** Called with the moment from which the key signs, if that is in the future. */
  readonly scheduled?: (kid: string, from: Instant) => void;
};

type ActivateSigningKeyPorts = Needs<'auditLog' | 'clock' | 'pauses' | 'secretBox' | 'signingKeyRings' | 'webhooks'>;

/** Lets the secrets that the license keys encrypt follow to the key that stays. */
const carrySecrets = async (
  ports: Pick<ActivateSigningKeyPorts, 'pauses' | 'secretBox' | 'webhooks'>,
  permit: Permit,
  use: KeyUse,
  ...to: readonly [ring: SigningKeyRing, kid: string | undefined]
): Promise<void> => {
  if (use === 'license') await resealWebhooks(ports, permit, ...to);
};

/**
 * Activates the next key of a use. Every instance switches to it at the same moment, far enough ahead that each has
 * read it. The call waits for that moment, then deletes the private part of the old key. After an interruption, that
 * part stays until the next change of the ring.
 */
export const activateSigningKey = (ports: ActivateSigningKeyPorts) => {
  const { auditLog, signingKeyRings, clock, pauses } = ports;

  /** Deletes the private parts of keys that no longer sign from the moment on. */
  const retire = async (permit: Permit, use: KeyUse, from: Instant): Promise<void> => {
    const rings = signingKeyRings[use];
    await untilWritten(pauses, async () => {
      const read = await rings.read();
      await carrySecrets(ports, permit, use, read.ring, currentKey(read.ring, from)?.kid);
      return (await rings.save(withRetired(read.ring, from), read)) ? ok(null) : CONFLICT;
    });
  };

  return async function activateSigningKey(
    permit: Permit,
    use: KeyUse,
    { unlisted = false, scheduled }: Activation = {},
  ): Promise<Outcome<SigningKeyView, 'no_next_key' | 'key_too_new'>> {
    const rings = signingKeyRings[use];
    const ms = unlisted ? 0 : handoverMs(use, rings.keptFor);
    const activated = await untilWritten(pauses, async () => {
      const now = clock.now();
      const read = await rings.read();
      const ring = withActivated(read.ring, use, now, { unlisted, in: ms });
      if (!ring.ok) return ring;
      const from = handoverAt(ring.value, now) ?? now;
      const key = currentKey(ring.value, from) as SigningKey;
      // The ring is outside the table, so the audit entry is written before the change.
      await auditLog.add(permit, signingKeyEvent(use, key.kid, 'activated'));
      await carrySecrets(ports, permit, use, read.ring, key.kid);
      return (await rings.save(ring.value, read))
        ? ok({ from, view: signingKeyView(ring.value, key, from) })
        : CONFLICT;
    });
    if (!activated.ok) return activated;
    const { from, view } = activated.value;
    if (ms > 0) {
      scheduled?.(view.kid, from);
      await pauses.until(from);
      await retire(permit, use, from);
    }
    return ok(view);
  };
};

/**
 * Removes a key from its ring, so that its signatures are no longer accepted, and deletes its private part. Returns the
 * key that signs from then on; undefined if none is left.
 */
export const revokeSigningKey = (ports: ActivateSigningKeyPorts) =>
  async function revokeSigningKey(
    permit: Permit,
    use: KeyUse,
    kid: string,
  ): Promise<Outcome<SigningKeyView | undefined, 'key_not_found' | 'no_next_key'>> {
    const { auditLog, signingKeyRings, clock, pauses } = ports;
    const rings = signingKeyRings[use];
    return untilWritten(pauses, async () => {
      const read = await rings.read();
      const now = clock.now();
      const ring = withRevoked(read.ring, use, kid, now);
      if (!ring.ok) return ring;
      // The ring is outside the table, so the audit entry is written before the change.
      await auditLog.add(permit, signingKeyEvent(use, kid, 'revoked'));
      const current = currentKey(ring.value, now);
      await carrySecrets(ports, permit, use, read.ring, current?.kid);
      if (!(await rings.save(ring.value, read))) return CONFLICT;
      return ok(current && signingKeyView(ring.value, current, now));
    });
  };

/**
 * The public keys that clients verify signatures with (a JWK set, RFC 7517): each key that signs, signed or will sign
 * the client policy or license tokens. A key is listed from before its first signature until it is revoked. File keys
 * are not listed, because applications contain them.
 */
export const listVerificationKeys = ({ policyKeys, licenseSigner }: Needs<'licenseSigner' | 'policyKeys'>) =>
  async function listVerificationKeys(): Promise<{ readonly keys: readonly PublicJwk[] }> {
    const [ring] = await Promise.all([policyKeys.current(), licenseSigner.fresh()]);
    return { keys: [...ring.map(publicJwk), ...licenseSigner.publicJwks()] };
  };

export type ListVerificationKeys = ReturnType<typeof listVerificationKeys>;
