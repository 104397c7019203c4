import type { Instant } from '../shared/instant.ts';
import type { Language } from '../shared/language.ts';
import { addressKey, isSameAddress } from './address.ts';
import type { BillingDetails } from './billing-details.ts';

/**
 * An account's place in the team of `account_id` for a product (`teams/team.ts`). A `member` has a seat; `billing`
 * manages the seats and has none. The team's own account has a seat unless it has the place `owner`.
 */
export type Membership = {
  readonly account_id: number;
  readonly product_id: number;
  readonly role: 'billing' | 'member' | 'owner';
};

/** The parts of an account that requests need, so that its keys and sessions repeat them. */
export type Allowance = {
  /** The account's own limit, set by the operator; absent if the default applies. */
  readonly requests_per_minute?: number | undefined;
  /** The account's places in teams, at most 20 (`MOST_MEMBERSHIPS`); absent if it has none. */
  readonly memberships?: readonly Membership[] | undefined;
};

/** The maximum requests per minute of one account: DynamoDB accepts a thousand writes per second to one counter. */
export const MOST_PER_MINUTE = 60_000;

/** A buyer. The email address is unique, and stored in its canonical form (`canonicalAddress`). */
export type Account = Allowance & {
  readonly id: number;
  readonly email: string;
  readonly name: string | null;
  readonly created_at: Instant;
  /** The language of messages; absent if unknown. */
  readonly locale?: Language | undefined;
  /** The billed party on the buyer's receipts, as the buyer entered it; absent if the buyer entered none. */
  readonly billing?: BillingDetails | undefined;
  /** Encoded scrypt hash; null if the account has no password yet. */
  readonly password_hash: string | null;
  /**
   * The time at which the account was suspended: from then on none of its keys, sessions and tokens work. Absent if it
   * is not suspended.
   */
  readonly suspended_at?: Instant | undefined;
  /**
   * The last lock-out of the account, or change of the address by the operator: at `at`, everything created since
   * `from` was revoked. Earlier links no longer work, including those that undo a change between the two, and waiting
   * devices get no key. Absent if there was none.
   */
  readonly ways_in_ended?: { readonly from: Instant; readonly at: Instant } | undefined;
  /**
   * The last former addresses, oldest first, by which an erasure finds records without an account; absent if there is
   * none.
   */
  readonly former_emails?: readonly string[] | undefined;
};

/**
 * The address of an account without a person, which a license key of a batch opened at its first use. It is no email
 * address: nobody can sign in with it, and no mail is sent to it.
 */
export const keyAddress = (id: number): string => `key-${id}`;

export const isWithoutPerson = ({ id, email }: Pick<Account, 'id' | 'email'>): boolean => email === keyAddress(id);

export const MOST_FORMER = 10;

type Addresses = Pick<Account, 'email' | 'former_emails'>;

/**
 * The former addresses of an account after it had another address, or after another account was merged into it. A list
 * that becomes too long loses its oldest ones.
 */
export const formerEmails = ({ email, former_emails = [] }: Addresses, after: Addresses): string[] =>
  [...new Set([...(after.former_emails ?? []), ...former_emails, addressKey(email)].toReversed())]
    .filter((one) => one !== addressKey(after.email))
    .slice(0, MOST_FORMER)
    .toReversed();

/**
 * The account with an address set by the operator. This is final: no link can undo an earlier change, because a thief
 * who changed the address would have such a link.
 */
export const readdressed = (account: Account, email: string, now: Instant): Account => ({
  ...account,
  email,
  ...(!isSameAddress(email, account.email) && {
    ways_in_ended: { from: account.created_at, at: now },
  }),
});

/** The cost of an scrypt hash (RFC 7914): memory is 128 · N · r bytes, work N · r · p. */
export type Cost = { readonly N: number; readonly r: number; readonly p: number };

/** The default cost, as OWASP recommends (Password Storage Cheat Sheet): 128 MiB and about a third of a second. */
export const COST: Cost = { N: 2 ** 17, r: 8, p: 1 };

/** The maximum memory (bytes) and work of a hash. */
export const MEMORY_CAP = 256 * 1024 * 1024;
const WORK_CAP = 4 * COST.N * COST.r * COST.p;

const ENCODED = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]{16,128})\$([\w-]{43})$/;

const isBearable = ({ N, r, p }: Cost): boolean =>
  N >= 2 && Number.isInteger(Math.log2(N)) && r >= 1 && p >= 1 && 128 * N * r <= MEMORY_CAP && N * r * p <= WORK_CAP;

/** The parts of an encoded hash; salt and hash are base64url. */
export type PasswordHash = { readonly cost: Cost; readonly salt: string; readonly hash: string };

/** The parts of `scrypt$N$r$p$salt$hash`; undefined for a malformed text or an excessive cost. */
export const readPasswordHash = (encoded: string): PasswordHash | undefined => {
  const [, N, r, p, salt = '', hash = ''] = ENCODED.exec(encoded) ?? [];
  const cost: Cost = { N: Number(N), r: Number(r), p: Number(p) };
  return isBearable(cost) ? { cost, salt, hash } : undefined;
};

/** True for an encoded hash that a password can be verified against. */
export const isPasswordHash = (text: string): boolean => readPasswordHash(text) !== undefined;
