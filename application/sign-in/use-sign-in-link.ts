import type { Account } from '../../domain/accounts/account.ts';
import { type Outcome, refuse } from '../../domain/shared/outcome.ts';
import { linkLimits } from '../../domain/sign-in/attempts.ts';
import { isUsableLink } from '../../domain/sign-in/sign-in-link.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { CountAttempts } from './count-attempts.ts';
import { isSecret } from './is-secret.ts';
import type { OpenedSession, OpenSession, Sender } from './open-session.ts';

export type Ports = Needs<'clock' | 'digest' | 'signInLinks'> & {
  countAttempts: CountAttempts;
  openSession: OpenSession;
};

export type Input = Sender & { code: string };

export type Refusal = 'link_not_usable' | 'account_suspended' | 'too_many_attempts';

const UNUSABLE = refuse('link_not_usable', {
  message: 'This link was already used, has expired, or ended with a change of the password; ask for a new one.',
});

/** Signs a browser in with a one-time link. However many calls use a link at once, it signs in exactly one. */
export const useSignInLink =
  ({ signInLinks, digest, clock, countAttempts, openSession }: Ports) =>
  async (input: Input): Promise<Outcome<OpenedSession, Refusal>> => {
    const counted = await countAttempts(linkLimits(input.address));
    if (!counted.ok) return counted;
    const link = isSecret(input.code) ? await signInLinks.find(digest.sha256(input.code)) : undefined;
    if (!link || !isUsableLink(link, clock.now()) || !(await signInLinks.use(link))) {
      return UNUSABLE;
    }
    await counted.value.forgive();
    const holds = ({ password_hash }: Account) => digest.sha256(password_hash ?? '') === link.password_mark;
    return openSession(link.account_id, 'link', input, { holds, otherwise: UNUSABLE });
  };

export type UseSignInLink = ReturnType<typeof useSignInLink>;
