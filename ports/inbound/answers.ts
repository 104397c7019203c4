import * as z from 'zod';

/**
 * Parts of answers. An endpoint's answer schema is a function, because the service needs it only for documentation, and
 * creating all of them would slow each start.
 */

/** A schema or shape that several answers share, created at its first use. */
export const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** An id. The OpenAPI document states 1 as its minimum, but no answer is refused for a lower one. */
export const id = z.int().meta({ override: { minimum: 1 } });
export const dateTime = z.iso.datetime();
export const nullableText = z.string().nullable();

export const withdrawal = once(() =>
  z
    .object({ declared_at: dateTime, ticket_id: id })
    .describe('the declaration by which its buyer withdrew from the order'),
);

export const billingDetails = once(() =>
  z.object({ name: nullableText, address: nullableText, tax_number: nullableText }),
);

/** The way in which an account acquired a product. */
export const accessSource = z.enum(['direct', 'bundle', 'subscription']);

/** An object with a name in the OpenAPI document. */
export const component = <S extends z.ZodRawShape>(name: string, shape: S, description?: string) =>
  z.object(shape).meta({ id: name, ...(description !== undefined && { description }) });

/** The schema of a page of a list whose entries have this schema. */
export const pagedData = <S extends z.ZodType>(entry: S) => ({
  data: z.array(entry),
  links: z
    .object({ first: z.url(), last: z.url(), prev: z.url().nullable(), next: z.url().nullable() })
    .describe('the addresses of other pages of the same list'),
  meta: z.object({
    current_page: z.int(),
    from: z.int().nullable().describe('the first entry of the page, counted from 1; null on an empty page'),
    last_page: z.int(),
    path: z.url(),
    per_page: z.int(),
    to: z.int().nullable(),
    total: z.int(),
  }),
});
