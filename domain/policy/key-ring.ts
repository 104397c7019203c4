import { type Instant, millis, toInstant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import type { PublicJwk } from '../shared/public-jwk.ts';

/** A key that signs the client policy, signed with once, or will. */
export type SigningKey = {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  /** The public and the private part of an Ed25519 key (RFC 8037), base64url. */
  readonly x: string;
  /** Null once another key has taken its place: an old key verifies and never signs again. */
  readonly d: string | null;
  readonly created_at: Instant;
  /** When it came into use; null while it is the next. */
  readonly current_from: Instant | null;
};

/** Every key that there has been and that was not revoked, oldest first. */
export type PolicyKeyRing = readonly SigningKey[];

export type KeyState = 'next' | 'current' | 'old';

/** A key that can sign. */
export type PrivateKey = SigningKey & { readonly d: string; readonly current_from: Instant };

/** Keys of one ring; what one secret holds with room to spare. */
export const MAX_KEYS = 100;

/**
 * How long a key has to have been listed before it signs: verifiers keep the list for five minutes, and instances what
 * they read of it for one.
 */
export const LISTED_FOR_MS = 10 * 60_000;

export const stateOf = ({ d, current_from }: SigningKey): KeyState =>
  current_from === null ? 'next' : d === null ? 'old' : 'current';

/** The key that signs; undefined where there is none yet. */
export const currentKey = (ring: PolicyKeyRing): PrivateKey | undefined =>
  ring.find((key): key is PrivateKey => stateOf(key) === 'current');

export const nextKey = (ring: PolicyKeyRing): SigningKey | undefined => ring.find((key) => stateOf(key) === 'next');

export const publicJwk = ({ x, kid }: Pick<SigningKey, 'x' | 'kid'>): PublicJwk => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x,
  kid,
  alg: 'EdDSA',
  use: 'sig',
});

/** The ring with a new key: in use at once where it is the first, for nobody verifies by another; else the next. */
export const withNewKey = (
  ring: PolicyKeyRing,
  { kid, x, d }: Pick<PrivateKey, 'kid' | 'x' | 'd'>,
  now: Instant,
): Outcome<PolicyKeyRing, 'next_key_exists' | 'too_many_keys'> => {
  const next = nextKey(ring);
  if (next) {
    return refuse('next_key_exists', {
      message: `Key ${next.kid} is the next already; activate it before you create another.`,
    });
  }
  if (ring.length >= MAX_KEYS) {
    return refuse('too_many_keys', { message: `There are ${MAX_KEYS} keys, which is the most that are kept.` });
  }
  return ok([...ring, { kid, x, d, created_at: now, current_from: ring.length === 0 ? now : null }]);
};

/**
 * The ring after the next key has come into use; the one before it keeps its public part alone. Refused while clients
 * may hold a list that the key is not on, unless `unlisted` says that it has to be.
 */
export const withActivated = (
  ring: PolicyKeyRing,
  now: Instant,
  { unlisted = false } = {},
): Outcome<PolicyKeyRing, 'no_next_key' | 'key_too_new'> => {
  const next = nextKey(ring);
  if (!next) return refuse('no_next_key', { message: 'There is no next key; create one first.' });
  const from = millis(next.created_at) + LISTED_FOR_MS;
  if (!unlisted && millis(now) < from) {
    return refuse('key_too_new', {
      message: `Key ${next.kid} has not been listed for long; clients know it from ${toInstant(from)} on.`,
      data: { kid: next.kid, activates_from: toInstant(from) },
    });
  }
  return ok(ring.map((key) => (key === next ? { ...key, current_from: now } : { ...key, d: null })));
};

/**
 * The ring without a key, by which nobody then verifies anything. Where that is the one in use, the next takes its place
 * at once, known to clients or not, for a leak outweighs that; without a next one it is refused.
 */
export const withRevoked = (
  ring: PolicyKeyRing,
  kid: string,
  now: Instant,
): Outcome<PolicyKeyRing, 'key_not_found' | 'no_next_key'> => {
  const revoked = ring.find((key) => key.kid === kid);
  if (!revoked) return refuse('key_not_found', { message: `No key of the client policy is called ${kid}.` });
  const rest = ring.filter((key) => key !== revoked);
  if (stateOf(revoked) !== 'current') return ok(rest);
  const replaced = withActivated(rest, now, { unlisted: true });
  if (replaced.ok) return replaced;
  return refuse('no_next_key', {
    message: `Key ${kid} signs the client policy, and there is no next key to take its place; create one first.`,
  });
};
