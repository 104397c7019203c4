import type { Permit } from '../../domain/access/permit.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { newSignInLink } from '../../domain/sign-in/sign-in-link.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'accounts' | 'clock' | 'digest' | 'secrets' | 'signInLinks'>;

/** The code of a one-time link, which is stored nowhere, and its end. */
export type CreatedSignInLink = { readonly code: string; readonly expires_at: Instant };

export type Refusal = 'account_not_found' | 'account_suspended';

/** Makes a link that signs an account in once, within the hour and before its password is changed. */
export const createSignInLink =
  ({ accounts, signInLinks, secrets, digest, clock }: Ports) =>
  async (permit: Permit, accountId: number): Promise<Outcome<CreatedSignInLink, Refusal>> => {
    const account = await accounts.get(accountId);
    if (!account) return refuse('account_not_found', { message: `There is no account ${accountId}.` });
    if (account.suspended_at) {
      return refuse('account_suspended', {
        message: `Account ${accountId} is suspended; "account reinstate ${accountId}" opens it again.`,
      });
    }
    const code = secrets.value();
    const password_mark = digest.sha256(account.password_hash ?? '');
    const link = newSignInLink({ hash: digest.sha256(code), account_id: accountId, password_mark }, clock.now());
    await signInLinks.save(permit, link);
    return ok({ code, expires_at: link.expires_at });
  };

export type CreateSignInLink = ReturnType<typeof createSignInLink>;
