import { ABILITIES, type Ability } from './abilities.ts';
import type { ApiKey } from './api-key.ts';

/** Roles of design agents; a token has exactly one (specification, Authentication). */
export const AGENT_ROLES = ['collect', 'read', 'write', 'review'] as const;
export type AgentRole = (typeof AGENT_ROLES)[number];

/** Roles of the shop's own systems on the shop host. `everything` may do what the others may, and more. */
export const SHOP_ROLES = ['orders', 'support', 'catalog', 'everything'] as const;
export type ShopRole = (typeof SHOP_ROLES)[number];

/** The role of a token. */
export type TokenRole = AgentRole | ShopRole;
export const TOKEN_ROLES: readonly TokenRole[] = [...AGENT_ROLES, ...SHOP_ROLES];

/** True where a token of the role `has` may do what asks for the role `needed`. */
export const hasRole = (has: TokenRole, needed: TokenRole): boolean =>
  has === needed || (has === 'everything' && SHOP_ROLES.some((role) => role === needed));

/**
 * The credential that identified an account's caller: an API key, the access token of an OAuth sign-in, or the browser
 * of the account's owner, who may do everything.
 */
export type AccountCredential =
  | { readonly kind: 'key'; readonly key: ApiKey }
  | { readonly kind: 'token'; readonly client_id: string }
  | { readonly kind: 'session'; readonly session_id: number };

/** A caller who acts for an account. */
export type AccountPrincipal = {
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
  /** The id of the agent's token. */
  readonly id: number;
  readonly role: TokenRole;
  readonly name: string;
};

/** A caller without a credential, or one whose credential the endpoint does not look at. */
export type Anyone = { readonly kind: 'anyone' };

/** The caller of an endpoint, once identified. */
export type Principal = AccountPrincipal | AgentPrincipal | Anyone;

export const ANYONE: Anyone = { kind: 'anyone' };

/** The principal of a live API key. */
export const principalOfKey = (key: ApiKey): AccountPrincipal => ({
  kind: 'account',
  account_id: key.account_id,
  abilities: key.abilities,
  product_id: key.product_id,
  credential: { kind: 'key', key },
});

/** The principal of an account's owner who is signed in with a browser. */
export const principalOfSession = ({
  id,
  account_id,
}: {
  readonly id: number;
  readonly account_id: number;
}): AccountPrincipal => ({
  kind: 'account',
  account_id,
  abilities: ABILITIES,
  product_id: null,
  credential: { kind: 'session', session_id: id },
});

/** A key bound to one product, or null for the whole account. */
export type ProductScope = Pick<AccountPrincipal, 'product_id'>;

/** The API key that a caller showed; null where the caller signed in another way, or not at all. */
export const keyOf = (principal: Principal): ApiKey | null =>
  principal.kind === 'account' && principal.credential.kind === 'key' ? principal.credential.key : null;
