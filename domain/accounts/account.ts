import type { Instant } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';
import { isSameAddress } from './address.ts';

/** An account's own limit, which the operator sets; absent where the limit of all others counts. */
export type Allowance = { readonly requests_per_minute?: number | undefined };

/** The most requests a minute of one account: DynamoDB takes a thousand writes of one counter a second. */
export const MOST_PER_MINUTE = 60_000;

/** A buyer. The e-mail address is unique by its one form (`canonicalAddress`), which is also stored. */
export type Account = Allowance & {
  readonly id: number;
  readonly email: string;
  readonly name: string | null;
  readonly created_at: Instant;
  /** The language of messages; absent where the store knows none. */
  readonly locale?: Locale | undefined;
  /** Encoded scrypt hash; null where the account has no password yet. */
  readonly password_hash: string | null;
  /** The moment since which no key, session or token of the account works; absent where they do. */
  readonly suspended_at?: Instant | undefined;
  /**
   * The last time at which all ways in ended together, or the operator settled the address: `at` that moment, those made
   * since `from`. A link made before it is dead, and so is one that undoes a change between the two, and a device that
   * waits for its key. Absent where it never happened.
   */
  readonly ways_in_ended?: { readonly from: Instant; readonly at: Instant } | undefined;
};

/**
 * The account with an address that the operator gives it. It is settled: no link undoes a change that was before,
 * because a thief who moved the account on has one.
 */
export const readdressed = (account: Account, email: string, now: Instant): Account => ({
  ...account,
  email,
  ...(!isSameAddress(email, account.email) && {
    ways_in_ended: { from: account.created_at, at: now },
  }),
});

/** The cost of a hash by scrypt (RFC 7914): memory is 128 · N · r bytes, work N · r · p. */
export type Cost = { readonly N: number; readonly r: number; readonly p: number };

/** The usual cost, by OWASP's recommendation (Password Storage Cheat Sheet): 128 MiB and about a third of a second. */
export const COST: Cost = { N: 2 ** 17, r: 8, p: 1 };

/** The most memory (bytes) and work that a hash may ask for. */
export const MEMORY_CAP = 256 * 1024 * 1024;
const WORK_CAP = 4 * COST.N * COST.r * COST.p;

const ENCODED = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]{16,128})\$([\w-]{43})$/;

const isBearable = ({ N, r, p }: Cost): boolean =>
  N >= 2 && Number.isInteger(Math.log2(N)) && r >= 1 && p >= 1 && 128 * N * r <= MEMORY_CAP && N * r * p <= WORK_CAP;

/** The parts of an encoded hash; salt and hash are base64url. */
export type PasswordHash = { readonly cost: Cost; readonly salt: string; readonly hash: string };

/** The parts of `scrypt$N$r$p$salt$hash`; undefined for a text that is malformed or asks for too much. */
export const readPasswordHash = (encoded: string): PasswordHash | undefined => {
  const [, N, r, p, salt = '', hash = ''] = ENCODED.exec(encoded) ?? [];
  const cost: Cost = { N: Number(N), r: Number(r), p: Number(p) };
  return isBearable(cost) ? { cost, salt, hash } : undefined;
};

/** True for an encoded hash that a password can be held against. */
export const isPasswordHash = (text: string): boolean => readPasswordHash(text) !== undefined;
