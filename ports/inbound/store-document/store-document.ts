import * as z from 'zod';
import {
  DEPENDENCY_KINDS,
  FEED_READERS,
  LAUNCH_KINDS,
  RULINGS,
  SLOT_KINDS,
  STRATEGIES,
  TARGETS,
  VERSION_SCHEMES,
} from '../../../domain/catalog/product.ts';
import { MOST_BATCH_KEYS } from '../../../domain/licensing/key-batch.ts';
import type { StoreDocument as Records } from '../../../domain/store-document/store-document.ts';
import { account } from './accounts.ts';
import {
  currency,
  features,
  graceDays,
  id,
  ids,
  instant,
  label,
  licenseTerms,
  line,
  localized,
  metadata,
  optionalText,
  orNull,
  plan,
  relativePath,
  rules,
  slug,
  termName,
  text,
} from './fields.ts';
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
  category_label: orNull(label),
  summary: orNull(localized(text)),
  prompt: localized(text),
  usage_guide: orNull(localized(text)),
  action_url: orNull(z.url({ protocol: /^https?$/ })),
});

const mcpTool = z.strictObject({ id, name: line, enabled: z.boolean().default(true) });
const mcpServer = mcpTool.extend({ tools: z.array(mcpTool).max(200).default([]) });

const content = z.strictObject({
  detail_html: orNull(localized(z.string().max(100_000))),
  gallery: z
    .array(z.strictObject({ path: relativePath, alt: orNull(label) }))
    .max(50)
    .default([]),
  videos: z
    .array(z.strictObject({ url: z.url({ protocol: /^https$/ }), title: orNull(label) }))
    .max(50)
    .default([]),
  usage_path: orNull(relativePath),
  architecture_path: orNull(relativePath),
  ai_prompt_path: orNull(relativePath),
  assets_dir: orNull(relativePath, 'folder of the content assets; an asset’s path is its path within the folder'),
});

const days = z.int().min(0).max(36_500);

const price = z.strictObject({
  provider: z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/, 'must be a name such as stripe, paddle or shop'),
  id: line.meta({ description: 'the provider’s id of the price' }),
  device_limit: orNull(z.int().min(0), 'devices of each unit; null takes the product’s own limit'),
  access_days: orNull(days, 'days of access; null is for good'),
  updates_days: orNull(days, 'days whose releases are covered; null covers all'),
  grace_days: graceDays.meta({ description: 'days for which a late renewal can still succeed' }),
  renewal: z.boolean().optional().meta({
    description: 'true extends the buyer’s existing access from its end, without more devices',
  }),
  apps: orNull(plan, 'the plan of an apps subscription'),
  ...licenseTerms,
});

const yearDays = z.int().min(1).max(365);

const edition = z.strictObject({ name: termName, features: features.default([]) });

/** The terms of a product's licenses. */
const licensing = {
  license_keys: z
    .union([z.boolean(), z.strictObject({ shown: z.literal(true) })])
    .optional()
    .meta({
      description:
        'true includes a license key in each purchase; `{"shown": true}` also keeps it, encrypted, to show it again',
    }),
  editions: z
    .array(edition)
    .min(1)
    .max(20)
    .superRefine(
      rules((all) =>
        all.map(({ name }, n) => {
          const first = all.findIndex((one) => one.name === name);
          return [first < n, `${n}.name`, `${name} is named twice`];
        }),
      ),
    )
    .optional()
    .meta({ description: 'editions of the product, lowest first, each with the features of its licenses' }),
  features: features.optional().meta({ description: 'features of every license' }),
  metadata: metadata.optional(),
  slots: z.enum(SLOT_KINDS).optional().meta({
    description: 'what takes the slots of a license: devices by default, persons with devices, or running sessions',
  }),
  lease_minutes: z.int().min(1).max(1440).optional().meta({
    description: 'minutes that a session holds its slot without a renewal; 10 by default',
  }),
  borrow_days: z.int().min(0).max(365).optional().meta({
    description: 'days for which a session may be borrowed to run offline; 0 by default',
  }),
  trial_days: yearDays.optional().meta({ description: 'days of a trial; none by default' }),
};

const product = z.strictObject({
  id,
  slug,
  type: z.string().regex(/^[a-z0-9][a-z0-9-]{0,49}$/, 'must be lower-case letters, digits and hyphens'),
  type_label: label,
  name: label,
  description: orNull(localized(text)),
  list_price_cents: orNull(z.int().min(0)),
  unit_price_cents: z.int().min(0),
  currency,
  active: z.boolean().default(true),
  published: z.boolean().default(true).meta({ description: 'false hides an app from accounts that can’t access it' }),
  feed: z
    .enum(FEED_READERS)
    .optional()
    .meta({ description: 'readers of an application’s update feeds and downloads; `public` by default' }),
  update_feeds: z.boolean().optional().meta({
    description: 'true adds the feeds of electron-updater, Tauri and Velopack to a product that is not a macos-app',
  }),
  primary_category_id: orNull(id),
  category_ids: ids.max(50).default([]),
  tag_ids: ids.max(50).default([]),
  bundle_id: orNull(line, 'bundle identifier of the application, and its client id at device sign-in'),
  delivery,
  runtime: orNull(line),
  platforms: z.array(line).max(20).default([]),
  version_scheme: z.enum(VERSION_SCHEMES).default('semver'),
  device_limit: orNull(z.int().min(0), 'devices per license; null is no limit'),
  stacking: z.literal('highest').optional().meta({
    description:
      'devices of a buyer’s purchases and subscriptions add up; with `highest`, only the highest limit applies',
  }),
  shared_devices: z.enum(RULINGS).optional().meta({
    description: '`refused` refuses a device that two machines use; `allowed` by default',
  }),
  uncovered_versions: z.enum(RULINGS).optional().meta({
    description: '`refused` stops released versions outside the update window; `allowed` by default',
  }),
  prices: z.array(price).max(50).optional().meta({ description: 'prices of payment providers that sell the product' }),
  ...licensing,
  ttl_days: yearDays.nullable().optional().meta({
    description: 'days that a token is valid offline; null is for ever; those of the policy by default',
  }),
  setup_steps: z.array(localized(text)).max(200).default([]),
  manual: orNull(localized(manual)),
  outputs: z.array(output).max(100).default([]),
  install_assets: z
    .array(z.strictObject({ platform: line.default('any'), label, path: relativePath }))
    .max(50)
    .default([]),
  mcp_server: orNull(mcpServer),
  hero: orNull(z.strictObject({ path: relativePath, alt: label })),
  thumbnail_html: orNull(text),
  created_at: instant,
  managed_by: z.literal('document').optional().meta({ description: 'set by an import; only an export writes it' }),
  content: content.prefault({}),
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

/** A product without its files and what the service sets, but with an uploaded picture and the text of its page. */
export const productFields = product
  .omit({
    id: true,
    created_at: true,
    managed_by: true,
    content: true,
    hero: true,
    install_assets: true,
    thumbnail_html: true,
  })
  .extend({
    delivery: delivery.prefault({ strategy: 'manual' }),
    picture: orNull(
      z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), alt: label }),
      'an uploaded PNG, JPEG or WebP of at most 2 MiB, by its SHA-256',
    ),
    detail_html: content.shape.detail_html,
    // A body has null for a field that is left out.
    ttl_days: z
      .union([yearDays, z.literal('never')])
      .optional()
      .meta({
        description: 'days that a token is valid offline, or `never` for a token without end',
      }),
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
    products: z.array(product).default([]),
    releases: z.array(release).default([]),
    bundles: z.array(bundle).default([]),
    lineages: z.array(lineage).max(500).default([]),
    policy: policy.optional(),
    disclosure: disclosure.optional(),
    storefront: storefront.optional(),
    taxonomy: taxonomy.optional(),
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
