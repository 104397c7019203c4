import type { SigningKey, SigningKeyRing } from './signing-key-ring.ts';

/*
 * The text form of a ring: a JWK set (RFC 7517) whose keys have two more members, `created_at` and `current_from`. An
 * old key has no `d`.
 */

const KEY_BYTES = /^[\w-]{43}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const has = (value: unknown, pattern: RegExp): value is string => typeof value === 'string' && pattern.test(value);

const readKey = (value: unknown): SigningKey | undefined => {
  const { kty, crv, kid, x, d = null, created_at, current_from } = (value ?? {}) as Record<string, unknown>;
  if (kty !== 'OKP' || crv !== 'Ed25519' || !has(kid, KEY_BYTES) || !has(x, KEY_BYTES)) return undefined;
  if (!has(created_at, INSTANT) || (d !== null && !has(d, KEY_BYTES))) return undefined;
  if (current_from !== null && !has(current_from, INSTANT)) return undefined;
  return { kid, x, d, created_at, current_from };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Reads a ring from its text; undefined for any other text, and for a ring with a key twice. Two keys can sign while
 * one hands over to the other, and no more.
 */
export const readSigningKeyRing = (text: string): SigningKeyRing | undefined => {
  const { keys } = (parsed(text) ?? {}) as { keys?: unknown };
  if (!Array.isArray(keys)) return undefined;
  const ring = keys.map(readKey);
  const signing = ring.filter((key) => key?.d != null && key.current_from !== null);
  const kids = new Set(ring.map((key) => key?.kid));
  return ring.includes(undefined) || kids.size < ring.length || signing.length > 2
    ? undefined
    : (ring as SigningKeyRing);
};

export const writeSigningKeyRing = (ring: SigningKeyRing): string => {
  const keys = ring.map(({ kid, x, d, created_at, current_from }) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    kid,
    x,
    ...(d === null ? {} : { d }),
    created_at,
    current_from,
  }));
  return `${JSON.stringify({ keys }, null, 2)}\n`;
};
