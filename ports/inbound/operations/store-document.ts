import * as z from 'zod';
import {
  DEPENDENCY_KINDS,
  FEED_READERS,
  LAUNCH_KINDS,
  STRATEGIES,
  TARGETS,
  VERSION_SCHEMES,
} from '../../../domain/catalog/product.ts';
import type { StoreDocument as Records } from '../../../domain/operations/store-document.ts';
import { account } from './store-document/accounts.ts';
import {
  currency,
  id,
  ids,
  instant,
  label,
  line,
  localized,
  optionalText,
  relativePath,
  text,
} from './store-document/fields.ts';
import { release } from './store-document/releases.ts';
import { disclosure, lineage, policy, storefront, taxonomy } from './store-document/shop.ts';

const category = z.strictObject({
  id,
  parent_id: id.nullable().default(null),
  name: label,
  active: z.boolean().default(true).meta({ description: 'false: no filter finds products by the category' }),
  visibility: z
    .string()
    .max(50)
    .default('public')
    .meta({ description: 'with another value than `public`, no filter finds products by the category' }),
});

const tag = z.strictObject({
  id,
  name: label,
  type: z.string().max(50).nullable().default(null),
  active: z.boolean().default(true),
});

const bundle = z.strictObject({
  id,
  product_id: id.meta({ description: 'the product that is sold as this bundle' }),
  name: label,
  product_ids: ids.min(1).max(200),
  active: z.boolean().default(true),
});

const delivery = z.strictObject({
  schema_version: z.int().min(1).default(1),
  strategy: z.enum(STRATEGIES),
  payload: z
    .strictObject({
      artifact: optionalText,
      root: optionalText,
      skill_manifest: optionalText,
      vsix_path: optionalText,
      extension_id: optionalText,
      app_path: optionalText,
      bundle_id: optionalText,
      binary_path: optionalText,
      executable_name: optionalText,
    })
    .prefault({}),
  targets: z.array(z.enum(TARGETS)).default([]),
  dependencies: z
    .array(
      z.strictObject({
        kind: z.enum(DEPENDENCY_KINDS),
        name: optionalText,
        version_constraint: optionalText,
        architectures: z.array(line).default([]),
        bundle_id: optionalText,
      }),
    )
    .max(50)
    .default([]),
  launch: z.strictObject({ kind: z.enum(LAUNCH_KINDS) }).default({ kind: 'none' }),
  requires_confirmation: z.boolean().default(false),
  compatibility: z.boolean().default(true),
});

const steps = z.array(text).max(100).default([]);
const manual = z.strictObject({
  summary: optionalText,
  requirements: steps,
  install_steps: steps,
  verification_steps: steps,
  troubleshooting: steps,
});

const output = z.strictObject({
  id,
  title: label,
  category_label: label.nullable().default(null),
  summary: localized(text).nullable().default(null),
  prompt: localized(text),
  usage_guide: localized(text).nullable().default(null),
  action_url: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
});

const mcpServer = z.strictObject({
  id,
  name: line,
  enabled: z.boolean().default(true),
  tools: z
    .array(z.strictObject({ id, name: line, enabled: z.boolean().default(true) }))
    .max(200)
    .default([]),
});

const content = z.strictObject({
  detail_html: localized(z.string().max(100_000)).nullable().default(null),
  gallery: z
    .array(z.strictObject({ path: relativePath, alt: label.nullable().default(null) }))
    .max(50)
    .default([]),
  videos: z
    .array(z.strictObject({ url: z.url({ protocol: /^https$/ }), title: label.nullable().default(null) }))
    .max(50)
    .default([]),
  usage_path: relativePath.nullable().default(null),
  architecture_path: relativePath.nullable().default(null),
  ai_prompt_path: relativePath.nullable().default(null),
  assets_dir: relativePath
    .nullable()
    .default(null)
    .meta({ description: 'folder of the content assets; an asset’s path is its path within the folder' }),
});

const days = z.int().min(0).max(36_500);

const price = z.strictObject({
  provider: z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/, 'must be a name such as stripe, paddle or shop'),
  id: line.meta({ description: 'the provider’s id of the price' }),
  device_limit: z
    .int()
    .min(0)
    .nullable()
    .default(null)
    .meta({ description: 'devices of each unit; null takes the product’s own limit' }),
  access_days: days.nullable().default(null).meta({ description: 'days of access; null is for good' }),
  updates_days: days.nullable().default(null).meta({ description: 'days whose releases are covered; null covers all' }),
  grace_days: z
    .int()
    .min(0)
    .max(365)
    .default(0)
    .meta({ description: 'days for which a late renewal can still succeed' }),
  apps: z
    .strictObject({ tier: line, features: z.array(line).max(100).default([]) })
    .nullable()
    .default(null)
    .meta({ description: 'the plan of an apps subscription' }),
});

const product = z.strictObject({
  id,
  slug: z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'must be lower-case letters, digits and hyphens'),
  type: z.string().regex(/^[a-z0-9][a-z0-9-]{0,49}$/, 'must be lower-case letters, digits and hyphens'),
  type_label: label,
  name: label,
  description: localized(text).nullable().default(null),
  list_price_cents: z.int().min(0).nullable().default(null),
  unit_price_cents: z.int().min(0),
  currency,
  active: z.boolean().default(true),
  published: z.boolean().default(true).meta({ description: 'false hides an app from accounts that can’t access it' }),
  feed: z
    .enum(FEED_READERS)
    .optional()
    .meta({ description: 'readers of an application’s update feeds and downloads; `public` if left out' }),
  update_feeds: z.boolean().optional().meta({
    description: 'true gives a product that is no macos-app the feeds of electron-updater, Tauri and Velopack',
  }),
  primary_category_id: id.nullable().default(null),
  category_ids: ids.max(50).default([]),
  tag_ids: ids.max(50).default([]),
  bundle_id: line
    .nullable()
    .default(null)
    .meta({ description: 'bundle identifier of the application, and its client id at device sign-in' }),
  delivery,
  runtime: line.nullable().default(null),
  platforms: z.array(line).max(20).default([]),
  version_scheme: z.enum(VERSION_SCHEMES).default('semver'),
  device_limit: z.int().min(0).nullable().default(null).meta({ description: 'devices per license; null is no limit' }),
  prices: z.array(price).max(50).optional().meta({ description: 'prices of payment providers that sell the product' }),
  license_keys: z.boolean().optional().meta({ description: 'true hands out a license key with each purchase' }),
  setup_steps: z.array(localized(text)).max(200).default([]),
  manual: localized(manual).nullable().default(null),
  outputs: z.array(output).max(100).default([]),
  install_assets: z
    .array(z.strictObject({ platform: line.default('any'), label, path: relativePath }))
    .max(50)
    .default([]),
  mcp_server: mcpServer.nullable().default(null),
  hero: z.strictObject({ path: relativePath, alt: label }).nullable().default(null),
  thumbnail_html: text.nullable().default(null),
  created_at: instant,
  content: content.prefault({}),
});

/**
 * The document that `account-service import` takes: a whole store, or part of one. A member that is left out changes
 * nothing in the store. Paths of files are relative to the folder of the document.
 */
export const StoreDocument = z
  .strictObject({
    format: z.literal(1),
    exported_at: instant.optional().meta({ description: 'the moment of the export that wrote the document' }),
    categories: z.array(category).default([]),
    tags: z.array(tag).default([]),
    products: z.array(product).default([]),
    releases: z.array(release).default([]),
    bundles: z.array(bundle).default([]),
    lineages: z.array(lineage).max(500).default([]),
    policy: policy.optional(),
    disclosure: disclosure.optional(),
    storefront: storefront.optional(),
    taxonomy: taxonomy.optional(),
    accounts: z.array(account).default([]),
  })
  .meta({ title: 'Store document', description: 'The document that account-service import takes.' });

export type StoreDocument = z.output<typeof StoreDocument>;

/** The fields of `R` that a schema with the output `S` does not take, each with its path. */
type Lacking<R, S, Path extends string = ''> = R extends readonly (infer Row)[]
  ? Lacking<Row, S extends readonly (infer Entry)[] ? Entry : never, Path>
  : R extends object
    ? {
        [Name in keyof R & string]: Name extends keyof S
          ? Lacking<NonNullable<R[Name]>, NonNullable<S[Name]>, `${Path}${Name}.`>
          : `${Path}${Name}`;
      }[keyof R & string]
    : never;

/** An import finds the pictures in the HTML. */
type Missing = Exclude<Lacking<Records, StoreDocument>, 'products.pictures'>;

// An export writes every field of a record. A field that no document takes does not compile; the error names it.
StoreDocument satisfies [Missing] extends [never] ? unknown : { readonly 'no document takes': Missing };
