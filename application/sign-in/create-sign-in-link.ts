import type { Permit } from '../../domain/access/permit.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { newSignInLink } from '../../domain/sign-in/sign-in-link.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Digest } from '../../ports/outbound/digest.ts';
import type { Secrets } from '../../ports/outbound/secrets.ts';
import type { SignInLinks } from '../../ports/outbound/sign-in-links.ts';

export type Ports = { accounts: Accounts; signInLinks: SignInLinks; secrets: Secrets; digest: Digest; clock: Clock };

/** The code of a one-time link, which is stored nowhere, and its end. */
export type CreatedSignInLink = { readonly code: string; readonly expires_at: Instant };

/** Makes a link that signs an account in once, within the hour. */
export class CreateSignInLink {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(permit: Permit, accountId: number): Promise<Outcome<CreatedSignInLink, 'account_not_found'>> {
    const { accounts, signInLinks, secrets, digest, clock } = this.#ports;
    if (!(await accounts.get(accountId))) {
      return refuse('account_not_found', { message: `There is no account ${accountId}.` });
    }
    const code = secrets.value();
    const link = newSignInLink(digest.sha256(code), accountId, clock.now());
    await signInLinks.save(permit, link);
    return ok({ code, expires_at: link.expires_at });
  }
}
