import type { ProductScope } from '../access/principal.ts';
import { checkProductScope } from '../access/principal.ts';
import type { Product } from '../catalog/product.ts';
import { type Outcome, ok, type Refused, refuse } from '../shared/outcome.ts';
import { type Access, beginsLater, type GrantedAccess } from './access.ts';

/** The refusal of a call about a product that does not exist, or that its caller may not know of. */
export const noSuchProduct = (): Refused<'not_found'> => refuse('not_found', { message: 'There is no such product.' });

/**
 * The product that a call is about. Its scope is checked first, so that a caller bound to one product can't learn
 * whether another exists. `scope` is null where nobody is known to ask, and `asked` where no product can have the id.
 * A call that `mustBeBound` is refused to whoever is not bound to exactly this product.
 */
export const targetProduct = (
  products: ReadonlyMap<number, Product>,
  scope: ProductScope | null,
  asked: number | null,
  mustBeBound = false,
): Outcome<Product, 'product_api_key_scope_required' | 'not_found'> => {
  const scoped = scope === null ? ok(null) : checkProductScope(scope, asked ?? 0, mustBeBound);
  if (!scoped.ok) return scoped;
  const product = asked === null ? undefined : products.get(asked);
  return product ? ok(product) : noSuchProduct();
};

/** The outcome of a gate for a call that tells of an unknown product in its own words. */
export const unknownAs = <T, R extends string, U extends Refused>(
  outcome: Outcome<T, R | 'not_found'>,
  unknown: U,
): Outcome<T, Exclude<R, 'not_found'>> | U => {
  const judged: Outcome<T, string> = outcome;
  return !judged.ok && judged.code === 'not_found' ? unknown : (judged as Outcome<T, Exclude<R, 'not_found'>>);
};

/**
 * Whether an account's access lets a call about a product pass. A product that is hidden from the account answers as
 * one that does not exist, so that nobody learns of it; one on sale asks for an entitlement only where the call needs
 * it.
 */
export function judgeAccess(
  product: Pick<Product, 'published'>,
  access: Access,
  needsEntitlement: false,
): Outcome<Access, 'not_found'>;
export function judgeAccess(
  product: Pick<Product, 'published'>,
  access: Access,
  needsEntitlement: true,
): Outcome<GrantedAccess, 'not_found' | 'product_entitlement_required'>;
export function judgeAccess(
  product: Pick<Product, 'published'>,
  access: Access,
  needsEntitlement: boolean,
): Outcome<Access, 'not_found' | 'product_entitlement_required'>;
export function judgeAccess(
  { published }: Pick<Product, 'published'>,
  access: Access,
  needsEntitlement: boolean,
): Outcome<Access, 'not_found' | 'product_entitlement_required'> {
  if (access.granted || (published && !needsEntitlement)) return ok(access);
  if (!published) return noSuchProduct();
  return refuse(
    'product_entitlement_required',
    access.begins_at === undefined ? {} : { message: beginsLater(access.begins_at, 'en') },
  );
}

/** Whether a caller without an account may be told of a product: a hidden one answers as one that does not exist. */
export const judgeOpenly = ({ published }: Pick<Product, 'published'>): Outcome<undefined, 'not_found'> =>
  published ? ok(undefined) : noSuchProduct();

/**
 * Whether an account may be told of a product and of its own access to it. An account whose access to a hidden product
 * has ended knows of the product; any other account without access gets the answer for an unknown one.
 */
export const judgeSight = ({ published }: Pick<Product, 'published'>, access: Access): Outcome<Access, 'not_found'> =>
  access.granted || published || access.reason !== 'not_entitled' ? ok(access) : noSuchProduct();
