import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import type { Ability } from './abilities.ts';
import type { ApiKey } from './api-key.ts';

/**
 * The checks that need nothing but the key. They run before the target is looked up, so that a key without the ability
 * can't learn whether an id exists (specification, Abilities).
 */
export const checkAbility = (key: ApiKey, ability: Ability | undefined): Outcome<null, 'missing_api_key_ability'> =>
  ability === undefined || key.abilities.includes(ability)
    ? ok(null)
    : refuse('missing_api_key_ability', { message: `This key lacks the ability ${ability}; use a key that has it.` });

/**
 * A key bound to one product can't be used on another; `mustBeBound` endpoints need a key bound to exactly this one. The
 * message names no product: a bundle id that was asked for must not be told apart from one that doesn't exist.
 */
export const checkProductScope = (
  key: ApiKey,
  productId: number,
  mustBeBound = false,
): Outcome<null, 'product_api_key_scope_required'> => {
  if (key.product_id === productId || (key.product_id === null && !mustBeBound)) return ok(null);
  return refuse('product_api_key_scope_required', {
    message: `This call needs a key bound to the product that it names; this one is ${key.product_id === null ? 'account-wide' : 'bound to another'}.`,
  });
};

/** Whether a key may see the product at all: account-wide keys all of them, a bound key its own. */
export const isInScope = (key: ApiKey, productId: number): boolean =>
  key.product_id === null || key.product_id === productId;
