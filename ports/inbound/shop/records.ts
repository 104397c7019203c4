import * as z from 'zod';
import { RULINGS, STRATEGIES, VERSION_SCHEMES } from '../../../domain/catalog/product.ts';
import { GRANT_TYPES } from '../../../domain/licensing/entitlement.ts';
import { component, dateTime, id, nullableText, once } from '../answers.ts';
import { orNull } from '../fields.ts';

/* The stored records of a shop, without the hashes of secrets. Amounts are in minor units of the record's currency. */

export const moment = dateTime.nullable();

export const texts = once(() => z.object({ en: z.string().optional(), ko: z.string().optional() }));

export const list = <S extends z.ZodType>(entry: S) =>
  z.object({
    data: z.array(entry),
    next_after: nullableText.describe('the `after` of the next page; null on the last page'),
  });

export const changed = z.enum(['changed', 'unchanged']);

/** Fields of one kind, in order. */
export const each = <T, const N extends readonly string[]>(kind: T, ...names: N) =>
  Object.fromEntries(names.map((name) => [name, kind])) as { [K in N[number]]: T };

/** The origin of an entitlement that was transferred. */
export const transferred = once(() =>
  z.object({ at: dateTime, from: id }).describe('when it came from another account, and its number'),
);

export const shopEntitlementData = once(() =>
  component('ShopEntitlementData', {
    ...each(id, 'id', 'account_id', 'product_id'),
    ...each(id.nullable(), 'source_product_id', 'order_id', 'order_item_id'),
    grant_type: z.enum(GRANT_TYPES),
    source_quantity: z.int(),
    device_limit: z.int().nullable(),
    granted_at: dateTime,
    ...each(moment, 'revoked_at', 'access_expires_at', 'updates_supported_until'),
    renews: z.boolean().optional().describe('true where it extends what the account has'),
    edition: z.string().optional(),
    ...each(z.array(z.string()).optional(), 'features', 'upgrades_from', 'requires'),
    metadata: z.record(z.string(), z.string()).optional(),
    key_batch_id: id.optional().describe('the batch of the license key that brought it'),
    transferred: transferred().optional(),
  }),
);

export const shopProductData = once(() =>
  z
    .looseObject({
      id,
      ...each(z.string(), 'slug', 'type', 'currency'),
      name: texts(),
      ...each(z.boolean(), 'active', 'published'),
      unit_price_cents: z.int(),
      platforms: z.array(z.string()),
      bundle_id: nullableText,
      delivery: z.looseObject({ strategy: z.enum(STRATEGIES) }),
      device_limit: z.int().nullable(),
      version_scheme: z.enum(VERSION_SCHEMES),
      ...each(z.enum(RULINGS).optional(), 'shared_devices', 'uncovered_versions'),
    })
    .meta({ id: 'ShopProductData', description: 'a product as the store document has it' }),
);

type Shape = Readonly<Record<string, z.ZodType>>;
type Lax<S extends Shape> = { [N in keyof S]: z.ZodType<z.output<S[N]> | null> };
type Change<S extends Shape> = { readonly [N in keyof S]?: z.output<S[N]> };

/** A field of a store document in a request body; null removes the field. */
const lax = (field: z.ZodType): z.ZodType =>
  field instanceof z.ZodDefault || field instanceof z.ZodPrefault || field instanceof z.ZodOptional
    ? orNull(field.unwrap() as z.ZodType)
    : field;

const mapped = <S extends Shape>(shape: S, map: (field: z.ZodType) => z.ZodType) =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, map(field)])) as unknown as Lax<S>;

/** The fields of a new record of a store document. */
export const newOf = <S extends Shape>(shape: S) => mapped(shape, lax);

/** The fields of a change of such a record: null keeps a field, and `remove` names those to remove. */
export const changesOf = <S extends Shape>(shape: S) => {
  const removed: Record<string, null | undefined> = {};
  for (const [name, field] of Object.entries(shape)) {
    if (field instanceof z.ZodOptional) removed[name] = undefined;
    else if (field instanceof z.ZodDefault && field.safeParse(null).success) removed[name] = null;
  }
  const remove = z
    .array(z.enum(Object.keys(removed)))
    .max(Object.keys(removed).length)
    .transform((names) => Object.fromEntries(names.map((name) => [name, removed[name]])) as Change<S>);
  return {
    ...mapped(shape, (field) => orNull(lax(field))),
    remove: orNull(remove).meta({ description: 'the fields to remove' }),
  };
};
