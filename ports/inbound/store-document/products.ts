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
import { once } from '../answers.ts';
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

const delivery = once(() =>
  z.strictObject({
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
  }),
);

const steps = z.array(text).max(100).default([]);
const manual = once(() =>
  z.strictObject({
    summary: optionalText,
    requirements: steps,
    install_steps: steps,
    verification_steps: steps,
    troubleshooting: steps,
  }),
);

const output = once(() =>
  z.strictObject({
    id,
    title: label,
    category_label: orNull(label),
    summary: orNull(localized(text)),
    prompt: localized(text),
    usage_guide: orNull(localized(text)),
    action_url: orNull(z.url({ protocol: /^https?$/ })),
  }),
);

const mcpTool = z.strictObject({ id, name: line, enabled: z.boolean().default(true) });
const mcpServer = once(() => mcpTool.extend({ tools: z.array(mcpTool).max(200).default([]) }));

const content = once(() =>
  z.strictObject({
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
  }),
);

/** Days of access or of updates. */
export const days = z.int().min(0).max(36_500);

const price = once(() =>
  z.strictObject({
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
  }),
);

const yearDays = z.int().min(1).max(365);

const edition = once(() => z.strictObject({ name: termName, features: features.default([]) }));

/** The terms of a product's licenses. */
const licensing = once(() => ({
  license_keys: z
    .union([z.boolean(), z.strictObject({ shown: z.literal(true) })])
    .optional()
    .meta({
      description:
        'true includes a license key in each purchase; `{"shown": true}` also keeps it, encrypted, to show it again',
    }),
  editions: z
    .array(edition())
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
}));

/** A product of a store document. */
export const product = once(() =>
  z.strictObject({
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
    delivery: delivery(),
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
    prices: z
      .array(price())
      .max(50)
      .optional()
      .meta({ description: 'prices of payment providers that sell the product' }),
    ...licensing(),
    ttl_days: yearDays.nullable().optional().meta({
      description: 'days that a token is valid offline; null is for ever; those of the policy by default',
    }),
    setup_steps: z.array(localized(text)).max(200).default([]),
    manual: orNull(localized(manual())),
    outputs: z.array(output()).max(100).default([]),
    install_assets: z
      .array(z.strictObject({ platform: line.default('any'), label, path: relativePath }))
      .max(50)
      .default([]),
    mcp_server: orNull(mcpServer()),
    hero: orNull(z.strictObject({ path: relativePath, alt: label })),
    thumbnail_html: orNull(text),
    created_at: instant,
    managed_by: z.literal('document').optional().meta({ description: 'set by an import; only an export writes it' }),
    content: content().prefault({}),
  }),
);

/** A product without its files and what the service sets, but with an uploaded picture and the text of its page. */
export const productFields = once(() =>
  product()
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
      delivery: delivery().prefault({ strategy: 'manual' }),
      picture: orNull(
        z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), alt: label }),
        'an uploaded PNG, JPEG or WebP of at most 2 MiB, by its SHA-256',
      ),
      detail_html: content().shape.detail_html,
      // A body has null for a field that is left out.
      ttl_days: z
        .union([yearDays, z.literal('never')])
        .optional()
        .meta({
          description: 'days that a token is valid offline, or `never` for a token without end',
        }),
    }),
);
