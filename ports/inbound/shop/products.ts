import * as z from 'zod';
import { PLATFORMS } from '../../../domain/catalog/platform.ts';
import { FEED_READERS } from '../../../domain/catalog/product.ts';
import { CHANNELS } from '../../../domain/delivery/channel.ts';
import { PUBLICATION_RESULTS } from '../../../domain/delivery/publication.ts';
import { INSTALLATION_TYPES, LONGEST_UPDATER_SIGNATURE } from '../../../domain/delivery/release.ts';
import {
  BUILD,
  LONGEST_BUILD,
  LONGEST_SYSTEM_VERSION,
  SYSTEM_VERSION,
} from '../../../domain/delivery/sparkle-terms.ts';
import { GAPS } from '../../../domain/delivery/supply.ts';
import { MOST_USAGE_DAYS } from '../../../domain/devices/usage.ts';
import { IMPORTED_AT_ONCE, LONGEST_TEXT } from '../../../domain/licensing/earlier-license.ts';
import { component, dateTime, id, nullableText, once } from '../answers.ts';
import {
  bodyFlag,
  bodyInstant,
  bodyInteger,
  line,
  orNull,
  pathText,
  prose,
  queryFlag,
  queryInteger,
  queryStretch,
  queryText,
} from '../fields.ts';
import { productFields } from '../store-document/products.ts';
import { policy, storefront } from '../store-document/shop.ts';
import { changed, changesOf, each, list, newOf, shopProductData, texts } from './records.ts';
import { MADE, shopEndpoints } from './terms.ts';

// `{product}` would look the product up as for a buyer, who cannot see hidden products.
const named = { named: pathText('id or slug of the product') };
const params = () => z.object(named);
/** Agents name the product by the same argument in every tool. */
const renames = { named: 'product' };
const shop = shopEndpoints('catalog');

/** The maximum size of a product with the texts of its page in both languages, in bytes. */
const PRODUCT_BYTES = 512 * 1024;

const shopReleaseData = once(() =>
  z
    .looseObject({
      id,
      product_id: id,
      version: z.string(),
      build: nullableText,
      channel: z.enum(CHANNELS),
      released_at: dateTime,
      withdrawn: z.object({ at: dateTime, reason: z.string() }).optional(),
      artifacts: z.array(z.looseObject({ platform: nullableText })),
    })
    .meta({ id: 'ShopReleaseData', description: 'a release as the store document has it, with its files' }),
);

const listedRelease = once(() => shopReleaseData().extend({ state: z.enum(['offered', 'scheduled', 'withdrawn']) }));

const newest = once(() => z.object(each(nullableText, ...CHANNELS)));

const offered = once(() => z.array(z.object({ platform: nullableText, version: nullableText })));

const gaps = once(() =>
  z
    .array(z.object({ gap: z.enum(GAPS), platforms: z.array(z.enum(PLATFORMS)).optional(), needed: z.boolean() }))
    .describe('the steps before the product sells; those that are not needed are usual before a shop opens'),
);

export const listShopProducts = shop({
  id: 'listShopProducts',
  path: '/api/shop/products',
  query: () =>
    z.object({
      sold: queryFlag('With the units sold and their owners, for which every account is read.'),
      ...queryStretch('id'),
    }),
  answer: () =>
    list(
      z.object({
        product: shopProductData(),
        newest: newest(),
        sales: z.object({ sold: z.int(), owners: z.int() }).nullable(),
        gaps: gaps(),
      }),
    ),
  tool: { name: 'shop_list_products', effect: 'reads' },
});

export const findProduct = shop({
  id: 'findProduct',
  path: '/api/shop/products/{named}',
  params,
  answer: shopProductData,
  tool: { name: 'shop_show_product', effect: 'reads', renames },
});

export const describeProduct = shop({
  id: 'describeProduct',
  path: '/api/shop/products/{named}/details',
  params,
  answer: () =>
    z.object({
      product: shopProductData(),
      releases: z.array(listedRelease()).describe('the ten newest, newest first'),
      release_count: z.int(),
      newest: newest(),
      feed: z.enum(FEED_READERS).nullable().describe('the readers of the appcast'),
      in_bundles: z.array(z.looseObject({ id, name: texts() })),
      brings: z.array(id).nullable().describe('the products of a bundle'),
      has_content: z.boolean(),
      detail_html: texts().nullable(),
      gaps: gaps(),
    }),
  tool: { name: 'shop_describe_product', effect: 'reads', renames },
});

export const addProduct = shop({
  id: 'addProduct',
  method: 'POST',
  path: '/api/shop/products',
  body: () => component('ShopNewProductBody', newOf(productFields().shape)),
  bodyLimit: PRODUCT_BYTES,
  answer: shopProductData,
  output: MADE,
  tool: { name: 'shop_add_product', effect: 'adds' },
});

export const changeProduct = shop({
  id: 'changeProduct',
  method: 'POST',
  path: '/api/shop/products/{named}/changes',
  params,
  body: () => component('ShopProductBody', changesOf(productFields().shape)),
  bodyLimit: PRODUCT_BYTES,
  answer: () => z.object({ product: shopProductData(), result: changed }),
  tool: { name: 'shop_change_product', effect: 'replaces', renames },
});

/** It tells which products a buyer uses, which no narrower role may see. */
export const showUsage = shop({
  id: 'showUsage',
  path: '/api/shop/usage',
  access: { credential: 'agent', role: 'everything' },
  query: () =>
    z.object({
      product: queryText(200, 'Only usage of this product, by id or slug.'),
      account_id: queryInteger('Only usage of this account. Without it, every account is read.'),
      days: queryInteger('The days up to today in UTC; 30 by default.', MOST_USAGE_DAYS),
    }),
  answer: () =>
    z.object({
      ...each(id.nullable(), 'product_id', 'account_id'),
      days: z.array(
        z.object({
          date: z.iso.date(),
          ...each(z.int(), 'launches', 'accounts', 'keys'),
          commands: z.record(z.string(), z.int()).describe('the most frequent commands with their calls'),
        }),
      ),
    }),
  tool: { name: 'shop_show_usage', effect: 'reads', renames: { account_id: 'account' } },
});

const shopStorefrontData = once(() =>
  z.looseObject({ product_url: nullableText, product_detail_url: nullableText }).meta({
    id: 'ShopStorefrontData',
    description: 'the storefront as the store document has it',
  }),
);

export const showStorefront = shop({
  id: 'showStorefront',
  path: '/api/shop/storefront',
  answer: shopStorefrontData,
  tool: { name: 'shop_show_storefront', effect: 'reads' },
});

/** Buyers trust its name, and answer to its address. */
export const changeStorefront = shop({
  id: 'changeStorefront',
  method: 'POST',
  path: '/api/shop/storefront/changes',
  access: { credential: 'agent', role: 'everything' },
  body: () => component('ShopStorefrontBody', changesOf(storefront().shape)),
  // Two logos in base64 beside the texts.
  bodyLimit: 256 * 1024,
  answer: () => z.object({ storefront: shopStorefrontData(), result: changed }),
  tool: { name: 'shop_change_storefront', effect: 'replaces' },
});

const withdrawnDevices = once(() => z.array(z.object({ product_id: id, device_id: z.string() })));

const shopPolicyData = once(() =>
  component('ShopPolicyData', {
    min_client_version: z.string(),
    ...each(z.int(), 'ttl_days', 'recheck_hours'),
    revoked: withdrawnDevices(),
    version: z.int().describe('grows by one with each change; 0 where none was set'),
    changed_at: dateTime,
  }),
);

export const showPolicy = shop({
  id: 'showPolicy',
  path: '/api/shop/policy',
  answer: shopPolicyData,
  tool: { name: 'shop_show_policy', effect: 'reads' },
});

/** It decides which devices run any product, and for how long. */
export const setPolicy = shop({
  id: 'setPolicy',
  method: 'POST',
  path: '/api/shop/policy',
  access: { credential: 'agent', role: 'everything' },
  body: () =>
    component('ShopPolicyBody', {
      ...policy().shape,
      revoked: orNull(policy().shape.revoked.unwrap()),
      version: orNull(policy().shape.version.unwrap()),
      changed_at: orNull(policy().shape.changed_at.unwrap()),
      trial: bodyFlag('decide, and change nothing'),
    }),
  bodyLimit: 512 * 1024,
  answer: () =>
    z.object({
      policy: shopPolicyData(),
      result: z.enum(['created', 'updated', 'unchanged']),
      lifted: withdrawnDevices().describe('the withdrawn devices that may run again'),
    }),
  tool: { name: 'shop_set_policy', effect: 'replaces' },
});

const earlierLicense = once(() =>
  z.object({
    line: bodyInteger({ minimum: 1 }).meta({ description: 'a number by which the answer names a refused license' }),
    key: z.string().min(1).max(LONGEST_TEXT),
    email: z.string().max(LONGEST_TEXT).meta({ description: 'the address of its buyer' }),
    name: orNull(z.string().max(LONGEST_TEXT)),
    device_limit: orNull(bodyInteger({ minimum: 1, maximum: 999_999 })).meta({ description: 'of each unit' }),
    quantity: bodyInteger({ minimum: 1, maximum: 999_999 }),
    ...each(orNull(bodyInstant), 'begun_at', 'ends_at', 'updates_until'),
  }),
);

/** It creates accounts, and entitles them. */
export const importLicenseKeys = shop({
  id: 'importLicenseKeys',
  method: 'POST',
  path: '/api/shop/products/{named}/license-keys',
  access: { credential: 'agent', role: 'everything' },
  params,
  body: () => component('ShopEarlierKeysBody', { licenses: z.array(earlierLicense()).min(1).max(IMPORTED_AT_ONCE) }),
  bodyLimit: 256 * 1024,
  answer: () =>
    z.object({
      ...each(z.int(), 'created', 'unchanged'),
      refused: z.array(z.object({ line: z.int(), message: z.string() })),
    }),
  tool: { name: 'shop_import_license_keys', effect: 'adds', renames },
});

export const listProductReleases = shop({
  id: 'listProductReleases',
  path: '/api/shop/products/{named}/releases',
  params,
  query: () => z.object(queryStretch('id')),
  answer: () => list(listedRelease()),
  tool: { name: 'shop_list_releases', effect: 'reads', renames },
});

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 characters of lower-case hex.');

const upload = {
  sha256: sha256.meta({ description: 'the uploaded file' }),
  filename: line(255, 1).meta({ description: 'its name in downloads' }),
};

const build = line(LONGEST_BUILD).regex(BUILD, 'must be digits with periods between them, such as 1204 or 2.0.1.');
const systemVersion = line(LONGEST_SYSTEM_VERSION).regex(SYSTEM_VERSION, 'must be a version of macOS such as 13.0.0.');
const webAddress = z.url({ protocol: /^https?$/ }).max(2000);
const below = orNull(build).meta({ description: 'only for builds below this one' });

/** The terms of a store document's release. */
const sparkle = once(() =>
  z.object({
    ...each(orNull(systemVersion), 'minimum_system_version', 'maximum_system_version'),
    ...each(orNull(build), 'minimum_autoupdate_version', 'ignore_skipped_upgrades_below_version'),
    critical: orNull(z.object({ below_version: below })),
    informational: orNull(z.object({ versions: z.array(build).max(100).default([]), below_version: below })),
    ...each(orNull(webAddress), 'link', 'full_release_notes_link'),
    release_notes_link: orNull(z.object({ en: webAddress.optional(), ko: webAddress.optional() })),
    phased_rollout_interval: orNull(bodyInteger({ minimum: 1, maximum: 2_592_000 })).meta({ description: 'seconds' }),
  }),
);

/** The maximum size of a file uploaded through this host, in bytes. Signing reads the whole file into memory. */
const MAX_UPLOADED_BYTES = 256 * 1024 * 1024;

export const signReleaseUpload = shop({
  id: 'signReleaseUpload',
  method: 'POST',
  path: '/api/shop/release-uploads',
  body: () =>
    component('ShopUploadBody', {
      sha256,
      size: bodyInteger({ minimum: 1, maximum: MAX_UPLOADED_BYTES }).meta({ description: 'bytes' }),
    }),
  answer: () =>
    z.object({
      upload: z
        .object({
          method: z.literal('PUT'),
          url: z.url(),
          headers: z.record(z.string(), z.string()),
          expires_at: dateTime,
        })
        .nullable(),
    }),
  tool: { name: 'shop_sign_upload', effect: 'adds' },
});

export const publishRelease = shop({
  id: 'publishRelease',
  method: 'POST',
  path: '/api/shop/products/{named}/releases',
  params,
  body: () =>
    component('ShopPublicationBody', {
      ...upload,
      version: line(64, 1),
      channel: orNull(z.enum(CHANNELS)).meta({ description: 'null keeps the channel; a new release gets stable' }),
      platform: orNull(z.enum(PLATFORMS)).meta({ description: 'null means every platform' }),
      build: orNull(line(64)).meta({ description: 'CFBundleVersion, which an appcast needs' }),
      notes_en: orNull(prose(20_000)),
      notes_ko: orNull(prose(20_000)),
      released_at: orNull(bodyInstant).meta({ description: 'null releases a new version at once' }),
      signature: orNull(line(100)).meta({ description: 'an edSignature by the store’s key; null signs here' }),
      updater_signature: orNull(z.string().max(LONGEST_UPDATER_SIGNATURE)).meta({
        description: 'the content of the .sig file that Tauri’s signer made',
      }),
      sparkle: orNull(sparkle()).meta({
        description: 'terms for the appcast of an application; a field without one keeps it',
      }),
      deltas: orNull(z.array(z.object({ ...upload, from_build: build })).max(50)).meta({
        description: 'patches by Sparkle’s BinaryDelta, uploaded too, each from an older build to this file',
      }),
      sign_with: orNull(line(100)).meta({
        description: 'the id of the next key, to sign by it; null is the key in use',
      }),
      installation_type: orNull(z.enum(INSTALLATION_TYPES)).meta({
        description: 'for an archive with an installer package in place of an application',
      }),
    }),
  answer: () =>
    z.object({
      release: shopReleaseData(),
      artifact: z.looseObject({ platform: nullableText, filename: z.string(), sha256: z.string(), size: z.int() }),
      result: z.enum(PUBLICATION_RESULTS),
      mended: z.boolean().describe('the store had lost or damaged the file, which is whole again'),
      behind: z
        .array(z.object({ platform: z.string(), version: z.string() }))
        .describe('the platforms that stay on an older version until their file is published'),
    }),
  tool: { name: 'shop_publish_release', effect: 'adds', renames },
});

/** The answer names the uploaded bytes, by which a release or a picture refers to them. */
export const uploadReleaseFile = shop({
  id: 'uploadReleaseFile',
  method: 'POST',
  path: '/api/shop/release-files',
  body: () =>
    component('ShopFileBody', {
      sha256: orNull(sha256).meta({ description: 'the expected file; others are refused' }),
    }),
  files: { file: { maxBytes: MAX_UPLOADED_BYTES, required: true } },
  answer: () => z.object({ sha256: z.string(), size: z.int(), filename: z.string() }),
  output: MADE,
});

/** Applications verify the policy with it. */
export const createPolicyKey = shop({
  id: 'createPolicyKey',
  method: 'POST',
  path: '/api/shop/policy/key',
  access: { credential: 'agent', role: 'everything' },
  answer: () => z.object({ kid: z.string(), result: z.enum(['created', 'unchanged']) }),
  tool: { name: 'shop_create_policy_key', effect: 'adds' },
});

const change = once(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('withdraw'), reason: line(255, 1).meta({ description: 'a sentence for buyers' }) }),
    z.object({ kind: z.literal('restore') }),
    z.object({ kind: z.literal('move'), channel: z.enum(CHANNELS) }),
    z.object({ kind: z.literal('schedule'), released_at: bodyInstant }),
  ]),
);

export const changeRelease = shop({
  id: 'changeRelease',
  method: 'POST',
  path: '/api/shop/products/{named}/releases/{version}/changes',
  params: () => z.object({ ...named, version: pathText('version of the release') }),
  body: () => component('ShopReleaseChangeBody', { change: change(), trial: bodyFlag('decide, and change nothing') }),
  answer: () =>
    z.object({
      release: shopReleaseData(),
      product: shopProductData(),
      result: changed,
      offered: offered().describe('the versions that the clients of its channel are offered then'),
      left: z.object({ channel: z.enum(CHANNELS), offered: offered() }).nullable(),
      led_back: z.array(z.object({ newer: shopReleaseData(), older: shopReleaseData() })),
    }),
  tool: { name: 'shop_change_release', effect: 'destroys', renames },
});
