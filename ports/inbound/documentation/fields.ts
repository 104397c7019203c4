import * as z from 'zod';

/** Output fields that several answers share. */

/** An id. The document gives 1 as its minimum, but no answer is refused for a lower one. */
export const id = z.int().meta({ override: { minimum: 1 } });
export const dateTime = z.iso.datetime();
export const nullableText = z.string().nullable();

export const withdrawal = z
  .object({ declared_at: dateTime, ticket_id: id })
  .describe('the declaration by which its buyer withdrew from the order');

/** The hash of a file in examples. */
export const EXAMPLE_SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** The way by which an account has a product. */
export const accessSource = z.enum(['direct', 'bundle', 'subscription']);

/** An object that the OpenAPI document names. */
export const component = <S extends z.ZodRawShape>(name: string, shape: S, description?: string) =>
  z.object(shape).meta({ id: name, ...(description !== undefined && { description }) });

/** The schema of a page of a list, whose entries have this schema. */
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

/** The texts of endpoints that all stand in one group of the reference. */
export const inGroup = <const G extends string, const D extends Readonly<Record<string, object>>>(group: G, texts: D) =>
  Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, { group, ...text }])) as {
    readonly [Id in keyof D]: D[Id] & { readonly group: G };
  };
