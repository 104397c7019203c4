import type { Account } from '../accounts/account.ts';
import { canonicalAddress } from '../accounts/address.ts';
import { hasPassed, type Instant, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';

export const UPSTREAM_MINUTES = 10;

/** The values that bind a provider's answer to the browser that asked, such as a `state`. Each provider has its own. */
export type UpstreamChecks = Readonly<Record<string, string>>;

/** A browser that was redirected to the upstream provider. */
export type UpstreamSignIn = {
  /** SHA-256 of the cookie's value, lower-case hex. */
  readonly hash: string;
  readonly checks: UpstreamChecks;
  /** The path to continue to, on the account host. */
  readonly next: string;
  readonly expires_at: Instant;
};

export const newUpstreamSignIn = (
  { hash, checks, next }: Pick<UpstreamSignIn, 'hash' | 'checks' | 'next'>,
  now: Instant,
): UpstreamSignIn => ({ hash, checks, next, expires_at: toInstant(millis(now) + UPSTREAM_MINUTES * MINUTE_MS) });

export const canFinish = ({ expires_at }: UpstreamSignIn, now: Instant): boolean => !hasPassed(expires_at, now);

/** A person according to the upstream provider. `subject` is unique within `issuer` and never reused. */
export type UpstreamIdentity = {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** True only if the provider says so. */
  readonly email_verified: boolean;
  readonly name: string | null;
};

/**
 * The address by which an account may be found or created: an ASCII one that the provider says is verified. Any other
 * may not have been verified in its canonical form, which could be somebody else's mailbox.
 */
export const verifiedEmail = ({ email, email_verified }: UpstreamIdentity): string | null =>
  email_verified && email !== null && /^[!-~]+$/.test(email) ? canonicalAddress(email) : null;

/** The account that a person signs in to, and whether the identity must still be linked to it. */
export type UpstreamMatch =
  | { readonly step: 'sign_in'; readonly account: Account }
  | { readonly step: 'link'; readonly account: Account }
  | { readonly step: 'create'; readonly email: string; readonly name: string | null };

/** An account, and whether it is another person's of the same provider. */
export type AccountByEmail = { readonly account: Account; readonly isTaken: boolean };

/**
 * Finds the account of a person from upstream: the one that the identity is linked to, else the one with the verified
 * email address, else a new one. An unverified address is ignored, because anybody could enter somebody else's address
 * at the provider and get that person's account here. An address is also ignored if its account is linked to another
 * person of the provider, because providers give addresses of former customers to new ones.
 */
export const matchUpstream = (
  identity: UpstreamIdentity,
  linked: Account | undefined,
  withEmail: AccountByEmail | undefined,
): Outcome<UpstreamMatch, 'email_not_verified' | 'account_taken'> => {
  if (linked) return ok({ step: 'sign_in', account: linked });
  const email = verifiedEmail(identity);
  if (email === null) {
    return refuse('email_not_verified', { message: 'The provider does not say that the email address is verified.' });
  }
  if (withEmail?.isTaken) {
    return refuse('account_taken', {
      message: 'The account with this address belongs to another person at the provider.',
    });
  }
  if (withEmail) return ok({ step: 'link', account: withEmail.account });
  return ok({ step: 'create', email, name: identity.name });
};
