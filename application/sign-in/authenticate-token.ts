import type { AccountPrincipal } from '../../domain/access/principal.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { isTokenFor } from '../../domain/sign-in/oauth-grant.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

/** The maximum length of a token that is looked up. Our tokens have 43 characters. */
const MAX_LENGTH = 128;

type Ports = Needs<'accounts' | 'clock' | 'digest' | 'signInTokens'>;

/**
 * The principal of the live sign-in token with this value. A token for another resource is refused, and so is a token
 * of a suspended account.
 */
export const authenticateToken = ({ signInTokens, accounts, digest, clock }: Ports) =>
  async function authenticateToken(
    value: string,
    resource: string,
  ): Promise<Outcome<AccountPrincipal, 'invalid_api_key'>> {
    const token = value.length <= MAX_LENGTH ? await signInTokens.find(digest.sha256(value)) : undefined;
    if (!token || !isTokenFor(token, resource, clock.now())) return refuse('invalid_api_key');
    const { account_id, client_id, permissions } = token;
    const account = await accounts.get(account_id);
    if (account?.suspended_at) return refuse('invalid_api_key');
    return ok({
      kind: 'account',
      account_id,
      abilities: permissions,
      product_id: null,
      requests_per_minute: account?.requests_per_minute,
      memberships: account?.memberships ?? [],
      credential: { kind: 'token', client_id },
    });
  };

export type AuthenticateToken = ReturnType<typeof authenticateToken>;
