import type { Account } from '../accounts/account.ts';
import { canonicalAddress } from '../accounts/address.ts';
import { hasPassed, type Instant, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';

export const UPSTREAM_MINUTES = 10;

/** The values that bind a provider's answer to the browser that asked, such as a `state`. Each provider has its own. */
export type UpstreamChecks = Readonly<Record<string, string>>;

/** A browser that was sent to the upstream provider. */
export type UpstreamSignIn = {
  /** SHA-256 of the cookie's value, lower-case hex. */
  readonly hash: string;
  readonly checks: UpstreamChecks;
  /** The path to go on to, one of the account host's own. */
  readonly next: string;
  readonly expires_at: Instant;
};

export const newUpstreamSignIn = (
  { hash, checks, next }: Pick<UpstreamSignIn, 'hash' | 'checks' | 'next'>,
  now: Instant,
): UpstreamSignIn => ({ hash, checks, next, expires_at: toInstant(millis(now) + UPSTREAM_MINUTES * MINUTE_MS) });

export const canFinish = ({ expires_at }: UpstreamSignIn, now: Instant): boolean => !hasPassed(expires_at, now);

/** A person as the upstream provider knows them. `subject` is unique and never given anew within `issuer`. */
export type UpstreamIdentity = {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** True only where the provider says so. */
  readonly email_verified: boolean;
  readonly name: string | null;
};

/**
 * The address that an account may be found or made by: an ASCII one that the provider says is verified. Of another one
 * nobody knows whether the provider mailed its canonical form, or a mailbox that somebody else has.
 */
export const verifiedEmail = ({ email, email_verified }: UpstreamIdentity): string | null =>
  email_verified && email !== null && /^[!-~]+$/.test(email) ? canonicalAddress(email) : null;

/** The account that a person is signed in to, and whether the identity is yet to be linked to it. */
export type UpstreamMatch =
  | { readonly step: 'sign_in'; readonly account: Account }
  | { readonly step: 'link'; readonly account: Account }
  | { readonly step: 'create'; readonly email: string; readonly name: string | null };

/** An account, and whether it is another person's of the same provider. */
export type AccountByEmail = { readonly account: Account; readonly isTaken: boolean };

/**
 * Finds the account of a person from upstream: the one that the identity is linked to, else the one with the verified
 * e-mail address, else a new one. An address that the provider does not say is verified finds and makes nothing,
 * because whoever entered somebody else's address there would get that person's account here. Neither does an address
 * whose account another person of the provider has, because providers give the addresses of former customers to new
 * ones.
 */
export const matchUpstream = (
  identity: UpstreamIdentity,
  linked: Account | undefined,
  withEmail: AccountByEmail | undefined,
): Outcome<UpstreamMatch, 'email_not_verified' | 'account_taken'> => {
  if (linked) return ok({ step: 'sign_in', account: linked });
  const email = verifiedEmail(identity);
  if (email === null) {
    return refuse('email_not_verified', { message: 'The provider does not say that the e-mail address is verified.' });
  }
  if (withEmail?.isTaken) {
    return refuse('account_taken', { message: 'Another person of the provider has the account with this address.' });
  }
  if (withEmail) return ok({ step: 'link', account: withEmail.account });
  return ok({ step: 'create', email, name: identity.name });
};
