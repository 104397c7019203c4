import * as z from 'zod';
import { RULINGS, STRATEGIES, VERSION_SCHEMES } from '../../../domain/catalog/product.ts';
import { GRANT_TYPES } from '../../../domain/licensing/entitlement.ts';
import { component, dateTime, id, nullableText, once } from '../answers.ts';

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

/** The fields of a change: one that is left out stays, and null removes a field that may be absent. */
export const changesOf = <S extends z.ZodRawShape>(shape: S) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => {
      if (field instanceof z.ZodDefault) return [name, (field.unwrap() as z.ZodType).optional()];
      if (!(field instanceof z.ZodOptional)) return [name, (field as z.ZodType).optional()];
      return [
        name,
        field
          .nullable()
          .transform((value) => value ?? undefined)
          .optional(),
      ];
    }),
  ) as unknown as { [N in keyof S]: z.ZodOptional<S[N] extends z.ZodType ? z.ZodType<z.output<S[N]>> : never> };
