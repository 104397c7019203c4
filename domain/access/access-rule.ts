import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import type { Ability } from './abilities.ts';
import { checkAbility, hasRole, keyOf, type Principal, type TokenRole } from './principal.ts';

/**
 * The credential that an endpoint requires, and the permission that the credential must have. A path with `{product}`
 * answers 404 if the product is hidden from the caller. A caller without an account sees no hidden product, unless the
 * rule says `evenHidden`: then the handler decides who may know of it.
 */
export type AccessRule =
  | { readonly credential: 'none'; readonly evenHidden?: true }
  /** The design gallery, which needs no sign-in. */
  | { readonly credential: 'gallery' }
  | {
      /** An optional account API key. */
      readonly credential: 'key?';
      /** The ability that a key must hold if one is sent. */
      readonly keyAbility?: Ability;
      /** The call passes without checking the caller's access; its handler decides about hidden products. */
      readonly evenHidden?: true;
    }
  | {
      /** An account API key. */
      readonly credential: 'key';
      /** Without an ability, any valid key suffices. */
      readonly ability?: Ability;
      /**
       * `entitlement`: the account may use the product in the path; `scoped`: the key is bound to just that product.
       */
      readonly requires?: readonly ('entitlement' | 'scoped')[];
      /**
       * The call passes even if the account's access to a hidden product has ended. Used with `scoped`: a key bound to
       * the product knows of it already.
       */
      readonly evenHidden?: true;
      /** A suspended account's key passes, and the use case reports the suspension; other endpoints answer 401. */
      readonly evenSuspended?: true;
      /** The access token of a sign-in is accepted too. */
      readonly orSignInToken?: true;
    }
  | {
      /** The token of a design agent or of one of the shop's own systems, or a member of the shop with the role. */
      readonly credential: 'agent';
      /** The role that the token needs (`hasRole`); without one, any suffices. */
      readonly role?: TokenRole;
      readonly evenHidden?: true;
    };

/** The parts of an endpoint that determine its access. */
export type Guarded = {
  readonly access: AccessRule;
  /** The call acts on the calling API key itself, so a sign-in token is refused. */
  readonly actsOnKey?: true;
};

/** True if the rule requires an entitlement to the product, or a key that is bound to it. */
export const requires = ({ access }: Pick<Guarded, 'access'>, what: 'entitlement' | 'scoped'): boolean =>
  access.credential === 'key' && access.requires?.includes(what) === true;

/** True if the caller's access doesn't matter, not even for a hidden product. */
export const isEvenHidden = ({ access }: Pick<Guarded, 'access'>): boolean =>
  access.credential !== 'gallery' && access.evenHidden === true;

/** The ability that an account's credential must hold for the call; undefined if every credential suffices. */
export const abilityOf = ({ access }: Pick<Guarded, 'access'>): Ability | undefined => {
  if (access.credential === 'key') return access.ability;
  return access.credential === 'key?' ? access.keyAbility : undefined;
};

/**
 * Checks the kind of credential, then the ability or role. These guards need only the caller and the declaration. They
 * come before any lookup, so that a caller without the ability can't learn whether an id exists.
 */
export const checkCaller = (
  endpoint: Guarded,
  principal: Principal,
): Outcome<null, 'invalid_api_key' | 'missing_api_key_ability'> => {
  const { access } = endpoint;
  switch (access.credential) {
    case 'none':
    case 'gallery':
      return ok(null);
    case 'agent':
      if (principal.kind !== 'agent' && principal.kind !== 'member') return refuse('invalid_api_key');
      return access.role === undefined || hasRole(principal.role, access.role)
        ? ok(null)
        : refuse('missing_api_key_ability', {
            message: `${principal.kind === 'agent' ? 'This agent token' : 'This member'} lacks the role ${access.role}; it has the role ${principal.role}.`,
          });
    case 'key?':
      return principal.kind === 'anyone' ? ok(null) : checkAccount(endpoint, principal);
    case 'key':
      return checkAccount(endpoint, principal);
  }
};

const checkAccount = (endpoint: Guarded, principal: Principal) => {
  if (principal.kind !== 'account') return refuse('invalid_api_key');
  if (endpoint.actsOnKey && keyOf(principal) === null) return refuse('invalid_api_key');
  return checkAbility(principal, abilityOf(endpoint));
};

/**
 * True if the caller may call the endpoint for some target. Callers are shown only such tools. A caller that is bound
 * to no product can't call an endpoint that requires a binding.
 */
export const permits = (principal: Principal, endpoint: Guarded): boolean =>
  checkCaller(endpoint, principal).ok &&
  !(requires(endpoint, 'scoped') && principal.kind === 'account' && principal.product_id === null);
