import * as z from 'zod';

/** The schema of a page of a list, whose entries have this schema. */
export const pagedData = <S extends z.ZodType>(entry: S) => ({
  data: z.array(entry),
  links: z
    .object({
      first: z.url(),
      last: z.url(),
      prev: z.url().nullable(),
      next: z.url().nullable(),
    })
    .meta({ description: 'the addresses of other pages of the same list' }),
  meta: z.object({
    current_page: z.int(),
    from: z
      .int()
      .nullable()
      .meta({ description: 'the first entry of the page, counted from 1; null on an empty page' }),
    last_page: z.int(),
    path: z.url(),
    per_page: z.int(),
    to: z.int().nullable(),
    total: z.int(),
  }),
});
