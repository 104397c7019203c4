import { ABILITIES, type Ability } from '../access/abilities.ts';
import { hasPassed, type Instant } from '../shared/instant.ts';

/** The permissions of a sign-in that asks for none (specification, Sign-in versus account API key). */
export const DEFAULT_PERMISSIONS: readonly Ability[] = ['mcp.read', 'products.read'];

/** The access token of an OAuth sign-in. Its value is kept as a hash only. */
export type SignInToken = {
  readonly account_id: number;
  readonly client_id: string;
  /** The permissions that the account's owner approved. */
  readonly permissions: readonly Ability[];
  /** The resource that the token was issued for (RFC 8707), such as `https://api.example.com/api/mcp`. */
  readonly resource: string;
  readonly expires_at: Instant;
};

/** The permissions in a scope (RFC 6749, section 3.3), in their own order; names that are none are left out. */
export const permissionsIn = (scope: string): Ability[] => {
  const asked = new Set(scope.split(' '));
  return ABILITIES.filter((ability) => asked.has(ability));
};

/** True for a token that has not expired and was issued for this resource. */
export const isTokenFor = ({ resource, expires_at }: SignInToken, asked: string, now: Instant): boolean =>
  resource === asked && !hasPassed(expires_at, now);
