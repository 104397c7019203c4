import type { Allowance } from '../accounts/account.ts';
import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { ABILITIES, type Ability } from './abilities.ts';
import type { ApiKey } from './api-key.ts';

/** Roles of design agents; a token has exactly one. */
export const AGENT_ROLES = ['collect', 'read', 'write', 'review'] as const;
export type AgentRole = (typeof AGENT_ROLES)[number];

/** Roles of the shop's own systems on the shop host. `everything` includes the others and more. */
export const SHOP_ROLES = ['orders', 'support', 'catalog', 'everything'] as const;
export type ShopRole = (typeof SHOP_ROLES)[number];

export type TokenRole = AgentRole | ShopRole;
export const TOKEN_ROLES: readonly TokenRole[] = [...AGENT_ROLES, ...SHOP_ROLES];

/** True if a token with the role `has` may make calls that need the role `needed`. */
export const hasRole = (has: TokenRole, needed: TokenRole): boolean =>
  has === needed || (has === 'everything' && SHOP_ROLES.some((role) => role === needed));

/**
 * The abilities that a role may give to a key. A key can do no more than its creator, who could otherwise act through
 * it. Roles that can't create keys give none.
 */
const GIVEN_BY: Partial<Readonly<Record<TokenRole, readonly Ability[]>>> = {
  support: ABILITIES.filter((ability) => ability !== 'orders.read' && ability !== 'subscriptions.read'),
  everything: ABILITIES,
};

/** Refuses abilities for a new key that its creator's role doesn't allow. */
export const checkGiven = (role: TokenRole, abilities: readonly Ability[]): Outcome<null, 'role_lacks_ability'> => {
  const lacks = abilities.filter((ability) => !GIVEN_BY[role]?.includes(ability));
  if (lacks.length === 0) return ok(null);
  return refuse('role_lacks_ability', {
    message: `A token with the role ${role} cannot give a key ${lacks.join(', ')}; omit it, or use a token with the role everything.`,
  });
};

/**
 * The credential that identified an account's caller: an API key, the access token of an OAuth sign-in, or the browser
 * session of the account's owner, who may do everything.
 */
export type AccountCredential =
  | { readonly kind: 'key'; readonly key: ApiKey }
  | { readonly kind: 'token'; readonly client_id: string }
  | { readonly kind: 'session'; readonly session_id: number };

/** A caller who acts for an account. */
export type AccountPrincipal = Allowance & {
  readonly kind: 'account';
  readonly account_id: number;
  /** The abilities of the key, or the permissions that the account's owner gave the signed-in client. */
  readonly abilities: readonly Ability[];
  /** The one product that the credential is bound to; null is the whole account. */
  readonly product_id: number | null;
  readonly credential: AccountCredential;
};

/** A design agent, or one of the shop's own systems. */
export type AgentPrincipal = {
  readonly kind: 'agent';
  readonly id: number;
  readonly role: TokenRole;
  readonly name: string;
};

/** A person who runs the shop, signed in to the console. The role is the current one of its membership. */
export type MemberPrincipal = {
  readonly kind: 'member';
  readonly account_id: number;
  readonly role: ShopRole;
  readonly name: string;
  readonly session_id: number;
};

/** A caller without a credential, or of an endpoint that ignores credentials. */
export type Anyone = { readonly kind: 'anyone' };

/** The caller of an endpoint, once identified. */
export type Principal = AccountPrincipal | AgentPrincipal | MemberPrincipal | Anyone;

export const ANYONE: Anyone = { kind: 'anyone' };

export const principalOfKey = (key: ApiKey): AccountPrincipal => ({
  kind: 'account',
  account_id: key.account_id,
  abilities: key.abilities,
  product_id: key.product_id,
  requests_per_minute: key.requests_per_minute,
  memberships: key.memberships ?? [],
  credential: { kind: 'key', key },
});

/** The principal of an account's owner who is signed in with a browser. */
export const principalOfSession = (
  session: Allowance & { readonly id: number; readonly account_id: number },
): AccountPrincipal => ({
  kind: 'account',
  account_id: session.account_id,
  requests_per_minute: session.requests_per_minute,
  memberships: session.memberships,
  abilities: ABILITIES,
  product_id: null,
  credential: { kind: 'session', session_id: session.id },
});

/** The product that a key is bound to; null for the whole account. */
export type ProductScope = Pick<AccountPrincipal, 'product_id'>;

/** The caller's API key; null for a caller who signed in another way, or not at all. */
export const keyOf = (principal: Principal): ApiKey | null =>
  principal.kind === 'account' && principal.credential.kind === 'key' ? principal.credential.key : null;

/**
 * Refuses a caller that lacks the ability; undefined requires none. This check runs before the target is looked up, so
 * a caller without the ability can't learn whether an id exists.
 */
export const checkAbility = (
  { abilities }: Pick<AccountPrincipal, 'abilities'>,
  ability: Ability | undefined,
): Outcome<null, 'missing_api_key_ability'> =>
  ability === undefined || abilities.includes(ability)
    ? ok(null)
    : refuse('missing_api_key_ability', { message: `This key lacks the ability ${ability}; use a key that has it.` });

/**
 * Refuses a caller that is bound to another product, and with `mustBeBound` also an account-wide one. The message names
 * no product, so it doesn't reveal whether a bundle id exists.
 */
export const checkProductScope = (
  scope: ProductScope,
  product_id: number,
  mustBeBound = false,
): Outcome<null, 'product_api_key_scope_required'> => {
  if (scope.product_id === product_id || (scope.product_id === null && !mustBeBound)) return ok(null);
  return refuse('product_api_key_scope_required', {
    message: `This call needs a key bound to the product that it names; this one is ${scope.product_id === null ? 'account-wide' : 'bound to another'}.`,
  });
};

/** True if the caller may see the product: an account-wide one sees every product, a bound one only its own. */
export const isInScope = (scope: ProductScope, product_id: number): boolean =>
  scope.product_id === null || scope.product_id === product_id;

export const LONGEST_AGENT_NAME = 100;

/** The token of a design agent. Only the SHA-256 hash of its value is stored; `prefix` is the part that lists show. */
export type AgentToken = {
  readonly id: number;
  readonly hash: string;
  readonly prefix: string;
  readonly role: TokenRole;
  /** The name that the operator gave the agent, on one line. */
  readonly name: string;
  readonly created_at: Instant;
};

export const principalOfToken = ({ id, role, name }: AgentToken): AgentPrincipal => ({ kind: 'agent', id, role, name });
