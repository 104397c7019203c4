import * as z from 'zod';
import { MOST_BATCH_KEYS } from '../../../domain/licensing/key-batch.ts';
import type { StoreDocument as Records } from '../../../domain/store-document/store-document.ts';
import { account } from './accounts.ts';
import { id, ids, instant, label, line, orNull, termName } from './fields.ts';
import { days, product } from './products.ts';
import { release } from './releases.ts';
import { disclosure, lineage, policy, storefront, taxonomy } from './shop.ts';

const category = z.strictObject({
  id,
  parent_id: orNull(id),
  name: label,
  active: z.boolean().default(true).meta({ description: 'false: filters don’t find products by this category' }),
  visibility: z
    .string()
    .max(50)
    .default('public')
    .meta({ description: 'unless `public`, filters don’t find products by this category' }),
});

const tag = z.strictObject({
  id,
  name: label,
  type: orNull(z.string().max(50)),
  active: z.boolean().default(true),
});

const bundle = z.strictObject({
  id,
  product_id: id.meta({ description: 'the product that is sold as this bundle' }),
  name: label,
  product_ids: ids.min(1).max(200),
  active: z.boolean().default(true),
});

const keyBatch = z.strictObject({
  id,
  name: line.max(100),
  product_id: id,
  access_days: orNull(days.min(1), 'days of access from the first use; null is for good'),
  updates_days: orNull(days.min(1), 'days from the first use whose releases are covered; null covers all'),
  device_limit: orNull(z.int().min(0), 'devices of each key; null takes the product’s own limit'),
  edition: termName.optional(),
  created_at: instant,
  keys: z
    .array(z.strictObject({ id, hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256'), prefix: line.max(20) }))
    .max(MOST_BATCH_KEYS)
    .meta({ description: 'the keys that nobody has used yet, by the SHA-256 of each' }),
});

/**
 * The document that `account-service import` reads: a whole store, or part of one. An absent field changes nothing in
 * the store. File paths are relative to the folder of the document.
 */
export const StoreDocument = z
  .strictObject({
    format: z.literal(1),
    exported_at: instant.optional().meta({ description: 'when the document was exported' }),
    categories: z.array(category).default([]),
    tags: z.array(tag).default([]),
    products: z.array(product()).default([]),
    releases: z.array(release).default([]),
    bundles: z.array(bundle).default([]),
    lineages: z.array(lineage()).max(500).default([]),
    policy: policy().optional(),
    disclosure: disclosure().optional(),
    storefront: storefront().optional(),
    taxonomy: taxonomy().optional(),
    key_batches: z.array(keyBatch).default([]).meta({
      description: 'license keys of an export that nobody has used; a batch that the store has stays as it is',
    }),
    accounts: z.array(account).default([]),
  })
  .meta({ title: 'Store document', description: 'The document that account-service import takes.' });

export type StoreDocument = z.output<typeof StoreDocument>;

/** The JSON Schema of a document as its author writes it, with optional fields left out. */
export const storeDocumentSchema = () => z.toJSONSchema(StoreDocument, { io: 'input' });

/** The fields of `R` that a schema with the output `S` does not accept, each with its path. */
type Lacking<R, S, Path extends string = ''> = R extends readonly (infer Row)[]
  ? Lacking<Row, S extends readonly (infer Entry)[] ? Entry : never, Path>
  : R extends object
    ? {
        [Name in keyof R & string]: Name extends keyof S
          ? Lacking<NonNullable<R[Name]>, Extract<S[Name], object>, `${Path}${Name}.`>
          : `${Path}${Name}`;
      }[keyof R & string]
    : never;

/** An import finds the pictures in the HTML. */
type Missing = Exclude<Lacking<Records, StoreDocument>, 'products.pictures'>;

// An export writes every field of a record. A field that the document does not accept fails to compile; the error names
// it.
StoreDocument satisfies [Missing] extends [never] ? unknown : { readonly 'no document takes': Missing };
