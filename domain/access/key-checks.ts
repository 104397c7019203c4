import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import type { Ability } from './abilities.ts';
import type { AccountPrincipal, ProductScope } from './principal.ts';

/**
 * Refuses a caller that lacks the ability; undefined asks for none. This check runs before the target is looked up, so
 * a caller without the ability can't learn whether an id exists (specification, Abilities).
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
 * no product, because a caller must not learn from it whether a bundle id exists.
 */
export const checkProductScope = (
  { product_id }: ProductScope,
  productId: number,
  mustBeBound = false,
): Outcome<null, 'product_api_key_scope_required'> => {
  if (product_id === productId || (product_id === null && !mustBeBound)) return ok(null);
  return refuse('product_api_key_scope_required', {
    message: `This call needs a key bound to the product that it names; this one is ${product_id === null ? 'account-wide' : 'bound to another'}.`,
  });
};

/** True where the caller may see the product: an account-wide one sees every product, a bound one only its own. */
export const isInScope = ({ product_id }: ProductScope, productId: number): boolean =>
  product_id === null || product_id === productId;
