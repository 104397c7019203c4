import * as z from 'zod';
import { PLATFORMS } from '../../../domain/catalog/platform.ts';
import { DEPENDENCY_KINDS, LAUNCH_KINDS, STRATEGIES, TARGETS } from '../../../domain/catalog/product.ts';
import { CHANNELS } from '../../../domain/delivery/channel.ts';
import { SUPPLY_CHECKS } from '../../../domain/delivery/supply.ts';
import { component, dateTime, id, nullableText } from './fields.ts';

const ProductDeliveryPayloadData = component('ProductDeliveryPayloadData', {
  artifact: nullableText,
  root: nullableText,
  skill_manifest: nullableText,
  vsix_path: nullableText,
  extension_id: nullableText,
  app_path: nullableText,
  bundle_id: nullableText,
  binary_path: nullableText,
  executable_name: nullableText,
});

const ProductDeliveryDependencyData = component('ProductDeliveryDependencyData', {
  kind: z.enum(DEPENDENCY_KINDS),
  name: nullableText,
  version_constraint: nullableText,
  architectures: z.array(z.string()),
  bundle_id: nullableText,
});

const ProductDeliveryLaunchData = component('ProductDeliveryLaunchData', { kind: z.enum(LAUNCH_KINDS) });

export const ProductDeliveryData = component('ProductDeliveryData', {
  schema_version: z.int(),
  strategy: z.enum(STRATEGIES),
  payload: ProductDeliveryPayloadData,
  targets: z.array(z.enum(TARGETS)),
  dependencies: z.array(ProductDeliveryDependencyData),
  launch: ProductDeliveryLaunchData,
  requires_confirmation: z.boolean(),
  compatibility: z.boolean(),
});

export const deliveryDocumentation = {
  downloadBundle: {
    group: 'Library',
    summary: 'Download the current bundle file',
    description:
      'Streams the file of the newest stable release. Ranges and conditional requests work. A product with a file for each platform needs `platform`: without it the answer is 422 and lists the platforms.',
    tool: {
      title: 'Link to the bundle file',
      description:
        'Gives a link to the newest stable file of a product, with its sha256. Name the `platform` where each has its own file.',
    },
    pathExamples: { product: 5 },
  },
  listReleases: {
    group: 'Products',
    summary: 'List a product’s releases',
    description:
      'Stable releases, or the releases that `channel` includes, newest first. `channels` names every channel that has a release: a product with pre-releases alone has an empty list, and the channel to ask for.',
    tool: {
      description:
        'Lists the stable releases of a product, or those of `channel`, newest first, with their notes. An id fits `release` of plan_install.',
    },
    answer: component('ProductReleaseListData', {
      releases: z.array(
        component('ProductReleaseData', {
          id,
          product_id: id,
          version: z.string(),
          notes_ko: nullableText,
          notes_en: nullableText,
          notes: nullableText.describe('the notes in the language asked for, or else in the other one'),
          released_at: dateTime,
        }),
      ),
      channels: z.array(z.enum(CHANNELS)),
    }),
  },
  getUpdate: {
    group: 'Products',
    summary: 'Check for an update',
    description:
      'Compares the client’s version with the newest release of `channel` (stable if left out), and tells whether this account may download it. With `platform`, only releases with a file for that platform count. `download_allowed` is the update window, with or without a platform. A product with a file for each platform has no sha256, size or signed URL until the platform is named. `download_url` is the file, under a signed URL as of an install plan where it is known; otherwise it asks for the platform and lists them (422), and past the update window it refuses. A `version` that the product’s scheme can’t read is 422. `plan_url` is the install plan of the release. If the update window does not cover the release, `covered` names the newest version that the account may install.',
    tool: {
      description:
        'Compares an installed version with the newest release of a channel for the `platform`, and tells whether this account may download it. If `update_available` is true, go on with plan_install; `covered` names an older version that the account may install instead.',
    },
    answer: component('ProductUpdateShowData', {
      update: component('ProductUpdateApiData', {
        product_id: id,
        current_version: z.string(),
        released_at: dateTime.nullable(),
        changelog: nullableText,
        source_ref: nullableText,
        artifact_sha256: nullableText,
        artifact_size: z.int().nullable(),
        update_available: z.boolean(),
        download_allowed: z.boolean().describe('true where the update window covers the release'),
        download_url: z
          .string()
          .describe(
            'the file: a signed URL, to which no Authorization header is sent, or one that asks for the platform or refuses with the reason',
          ),
        download_expires_at: dateTime.nullable().describe('the end of the signed URL'),
        plan_url: z.string().describe('the install plan of the current release'),
        covered: z
          .object({
            release_id: id,
            version: z.string(),
            released_at: dateTime,
            update_available: z.boolean(),
            plan_url: z.string().describe('the install plan of this release'),
          })
          .nullable()
          .describe(
            'the newest version that the account may install, where its update window does not cover the current one; otherwise null',
          ),
      }),
    }),
  },
  planInstall: {
    group: 'Install',
    summary: 'Plan an install',
    description:
      'The newest release within the update window that has a file for the platform, with a signed URL (valid for 15 minutes, no credential needed) and the sha256 to compare. Without `platform`, a product with a file for each platform is 422 with the list of platforms. A `release` may be of any channel, unless `channel` is named too and does not include it (404). The call records nothing, so it can be repeated freely.',
    tool: {
      description:
        'Gives the right file of an owned product: a URL for 15 minutes, its size and sha256, and how to install it (`kind`). Planning records nothing, so call it again when the URL has expired.',
    },
    answer: component('ProductInstallShowData', {
      data: component('ProductInstallData', {
        product_id: id,
        kind: z.enum(STRATEGIES).describe('the delivery strategy'),
        name: z.string(),
        version: z.string(),
        build: nullableText,
        channel: z.enum(CHANNELS).nullable(),
        filename: z.string(),
        sha256: z.string(),
        size: z.int().describe('bytes'),
        format: z.string(),
        download_url: z.string().describe('signed URL; send no Authorization header to it'),
        download_expires_at: dateTime,
        target: z.enum([...PLATFORMS, 'any']).describe('the platform that the file is for'),
        slug: nullableText,
        release_id: id.nullable(),
      }),
    }),
  },
  getDownloadPipeline: {
    group: 'Downloads',
    summary: 'List the available downloads',
    description:
      'For each channel: the products on sale that come as a file, with the newest release of each; the products and versions for each platform; and a checklist. A product counts for the platforms that it names, or for every platform if it names none; a macOS application counts for Macs alone. A channel includes every more stable one: `beta` counts stable releases too. The answer is computed from the published releases, and unpublished products are left out.',
    tool: {
      description:
        'Lists, for each channel, the products that come as a file, with their newest release and platforms.',
    },
    answer: component('DownloadPipelineData', {
      channels: z.array(
        component('PipelineChannelData', {
          channel: z.enum(CHANNELS),
          ready: z.boolean().describe('true if every check passes'),
          catalog: z.object({
            product_count: z.int(),
            released_count: z.int(),
            latest_released_at: dateTime.nullable(),
            products: z.array(
              component('PipelineProductData', {
                id,
                slug: z.string(),
                name: z.string(),
                type: z.string(),
                release: z
                  .object({
                    id,
                    version: z.string(),
                    channel: z.enum(CHANNELS),
                    released_at: dateTime,
                    file_count: z.int(),
                  })
                  .nullable()
                  .describe('the newest release in the channel; null if there is none'),
              }),
            ),
          }),
          platforms: z.array(
            component(
              'PipelinePlatformData',
              {
                platform: z
                  .enum([...PLATFORMS, 'any'])
                  .describe(
                    '`any` has the products with a file for every platform. Such a product is also listed for each platform that it runs on.',
                  ),
                product_count: z.int(),
                products: z.array(z.object({ id, slug: z.string(), version: z.string() })),
              },
              'The products that can be downloaded for a platform, with their versions.',
            ),
          ),
          checklist: z.array(
            component('PipelineCheckData', {
              key: z.enum(SUPPLY_CHECKS),
              label: z.string(),
              ok: z.boolean(),
              passed: z.int(),
              total: z.int(),
              missing: z.array(z.string()).describe('slugs of the products that fail the check'),
            }),
          ),
        }),
      ),
    }),
  },
  getAppcast: {
    group: 'App distribution',
    summary: 'Get an application’s appcast',
    description:
      'The update feed of an application for Sparkle 2, newest release first. Withdrawn releases and releases whose moment is to come are left out. A public feed needs no key. With the key of an account that may use the product, the feed leaves out the releases beyond the update window. A key that brings no access gets the public feed as without a key; an invalid or revoked key is refused. If the feed is not public, its links carry a ticket in place of the key, and work without a header for a day while the key is live. A product that is off sale keeps its feed. Other parameters are ignored.',
    pathExamples: { id: 3 },
  },
  openUpdateFile: {
    group: 'App distribution',
    summary: 'Get a feed of electron-updater or Velopack, or a file of one',
    description:
      'The folder that electron-updater’s generic provider and Velopack’s web source read. A feed has the newest release of its channel, of those that the appcast would offer, whose version is a semantic one. The feeds of electron-updater are JSON, which is YAML too. While a phased roll-out runs, electron-updater is told its percentage, and Velopack is offered the release before. Readers and tickets are those of the appcast; Velopack’s names of files have no room for a ticket, so that its downloads need the key too where the feed is not public. Any other name of a file is a file of a release, and leads to a signed URL. Other parameters are ignored.',
    pathExamples: { id: 3, file: 'releases.osx.json' },
    answer: z.union([
      z.object({
        version: z.string(),
        files: z.array(z.object({ url: z.string(), sha512: z.string().describe('base64'), size: z.int() })),
        path: z.string(),
        sha512: z.string(),
        releaseDate: dateTime,
        stagingPercentage: z.int().optional().describe('present while a phased roll-out runs'),
      }),
      z.object({
        Assets: z.array(
          z.object({
            PackageId: z.string(),
            Version: z.string(),
            Type: z.literal('Full'),
            FileName: z.string(),
            SHA1: z.string().describe('upper-case hex'),
            SHA256: z.string().describe('upper-case hex'),
            Size: z.int(),
            NotesMarkdown: z.string(),
          }),
        ),
      }),
    ]),
  },
  getTauriUpdate: {
    group: 'App distribution',
    summary: 'Get the update of a Tauri application',
    description:
      'The newest release of the channel, of those that the appcast would offer, that has a file with the signature of Tauri’s signer for the application’s platform. 204 where the application has it already, or no file fits. A phased roll-out shows the release once everybody’s turn has come. Readers and tickets are those of the appcast.',
    pathExamples: { id: 3, target: 'windows', arch: 'x86_64', installed: '1.1.0' },
    answer: z.object({
      version: z.string(),
      url: z.string(),
      signature: z.string().describe('the content of the `.sig` file'),
      notes: nullableText,
      pub_date: dateTime,
    }),
  },
  downloadRelease: {
    group: 'App distribution',
    summary: 'Download a release',
    description:
      'Redirects to a signed URL that is valid for 15 minutes, needs no credential and supports ranges. A product with a public feed needs no key; a product without an update feed always needs one. If a request has a key, the key decides and the ticket is ignored. A ticket ends with the key that its feed was read with. A withdrawn release is refused with the reason.',
    pathExamples: { release: 34 },
  },
} as const;
