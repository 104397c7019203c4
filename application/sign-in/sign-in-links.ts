import type { Permit } from '../../domain/access/permit.ts';
import { type Account, normalizedEmail } from '../../domain/accounts/account.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { linkLimits, mailedLinkLimits } from '../../domain/sign-in/attempts.ts';
import { LONGEST_EMAIL } from '../../domain/sign-in/password-rules.ts';
import { isUsableLink, markedText, newSignInLink } from '../../domain/sign-in/sign-in-link.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { Digest } from '../../ports/outbound/system.ts';
import type { CountAttempts } from './count-attempts.ts';
import { isSecret, type OpenedSession, type OpenSession, type Sender } from './sessions.ts';

/** True for a text that mail can go to, as far as its form tells. */
export const isMailable = (email: string): boolean => /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= LONGEST_EMAIL;

export const markOf = (digest: Digest, account: Pick<Account, 'email' | 'password_hash'>): string =>
  digest.sha256(markedText(account));

export type AskForLinkPorts = Needs<'digest' | 'messages'> & { countAttempts: CountAttempts };

/**
 * Asks for a sign-in link by mail. Whether an account has the address is looked up when the mail is sent, so that
 * neither the answer nor its time can tell. The bounds hold for every address alike.
 */
export const askForLink =
  ({ digest, messages, countAttempts }: AskForLinkPorts) =>
  async (
    permit: Permit,
    { email: typed, address, locale }: { email: string; address: string; locale: Locale },
  ): Promise<Outcome<null, 'too_many_attempts'>> => {
    const email = normalizedEmail(typed);
    const counted = await countAttempts(mailedLinkLimits(digest.sha256(email), address));
    if (!counted.ok) return counted;
    if (isMailable(email)) {
      await messages.add(permit, {
        kind: 'sign_in',
        account_id: null,
        subject_id: '',
        product_id: null,
        email,
        locale,
      });
    }
    return ok(null);
  };

export type AskForLink = ReturnType<typeof askForLink>;

/** The code of a one-time link, which is stored nowhere, and its end. */
export type CreatedSignInLink = { readonly code: string; readonly expires_at: Instant };

/**
 * Makes a link that signs an account in once, or that gives it the new address `email` once: within the hour, and before
 * its password or address is changed.
 */
export const createSignInLink =
  ({
    accounts,
    signInLinks,
    secrets,
    digest,
    clock,
  }: Needs<'accounts' | 'clock' | 'digest' | 'secrets' | 'signInLinks'>) =>
  async (
    permit: Permit,
    accountId: number,
    email: string | null = null,
  ): Promise<Outcome<CreatedSignInLink, 'account_not_found' | 'account_suspended'>> => {
    const account = await accounts.get(accountId);
    if (!account) return refuse('account_not_found', { message: `There is no account ${accountId}.` });
    if (account.suspended_at) {
      return refuse('account_suspended', {
        message: `Account ${accountId} is suspended; "account reinstate ${accountId}" opens it again.`,
      });
    }
    const code = secrets.value();
    const link = newSignInLink(
      {
        hash: digest.sha256(code),
        account_id: accountId,
        password_mark: markOf(digest, account),
        ...(email !== null && { email }),
      },
      clock.now(),
    );
    await signInLinks.save(permit, link);
    return ok({ code, expires_at: link.expires_at });
  };

export type CreateSignInLink = ReturnType<typeof createSignInLink>;

/** True where a one-time link with this code waits to sign in. It uses nothing, because mail scanners open links. */
export const peekSignInLink =
  ({ signInLinks, digest, clock }: Needs<'clock' | 'digest' | 'signInLinks'>) =>
  async (code: string): Promise<boolean> => {
    const link = isSecret(code) ? await signInLinks.find(digest.sha256(code)) : undefined;
    return link !== undefined && link.email === undefined && isUsableLink(link, clock.now());
  };

export type PeekSignInLink = ReturnType<typeof peekSignInLink>;

const UNUSABLE = refuse('link_not_usable', {
  message:
    'This link was already used, has expired, or ended with a change of the password or the e-mail address; ask for a new one.',
});

/** Signs a browser in with a one-time link. However many calls use a link at once, it signs in exactly one. */
export const useSignInLink =
  ({
    signInLinks,
    digest,
    clock,
    countAttempts,
    openSession,
  }: Needs<'clock' | 'digest' | 'signInLinks'> & {
    countAttempts: CountAttempts;
    openSession: OpenSession;
  }) =>
  async (
    input: Sender & { code: string },
  ): Promise<Outcome<OpenedSession, 'link_not_usable' | 'account_suspended' | 'too_many_attempts'>> => {
    const counted = await countAttempts(linkLimits(input.address));
    if (!counted.ok) return counted;
    const link = isSecret(input.code) ? await signInLinks.find(digest.sha256(input.code)) : undefined;
    if (!link || link.email !== undefined || !isUsableLink(link, clock.now()) || !(await signInLinks.use(link))) {
      return UNUSABLE;
    }
    await counted.value.forgive();
    const holds = (account: Account) => markOf(digest, account) === link.password_mark;
    return openSession(link.account_id, 'link', input, { holds, otherwise: UNUSABLE });
  };

export type UseSignInLink = ReturnType<typeof useSignInLink>;
