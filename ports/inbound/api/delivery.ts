import * as z from 'zod';
import { PLATFORMS } from '../../../domain/catalog/platform.ts';
import { STRATEGIES } from '../../../domain/catalog/product.ts';
import { CHANNELS } from '../../../domain/delivery/channel.ts';
import { SUPPLY_CHECKS } from '../../../domain/delivery/supply.ts';
import { component, dateTime, id, nullableText } from '../answers.ts';
import { endpointsOf } from '../endpoint.ts';
import { product_id, queryChannel, queryInteger, queryOneOf, queryPlatform, queryText } from '../fields.ts';

const api = endpointsOf({ host: 'api' });
const onProduct = endpointsOf({ host: 'api', params: () => z.object({ product: product_id }) });

const INSTALL_REFUSALS = ['install_not_available', 'version_update_window_expired', 'validation_failed'] as const;

/** The time for which caches may store the public supply status, in seconds. */
const SUPPLY_SECONDS = 60;

export const downloadBundle = onProduct({
  id: 'downloadBundle',
  path: '/api/products/{product}/bundle',
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  query: () => z.object({ platform: queryPlatform }),
  output: { kind: 'binary', status: 200 },
  refusals: INSTALL_REFUSALS,
  tool: { name: 'download_bundle', effect: 'reads' },
});

export const listReleases = onProduct({
  id: 'listReleases',
  path: '/api/products/{product}/releases',
  access: { credential: 'key' },
  query: () => z.object({ channel: queryChannel }),
  answer: () =>
    component('ProductReleaseListData', {
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
  cache: 'revalidate',
  localized: true,
  tool: { name: 'list_releases', effect: 'reads' },
});

export const getUpdate = onProduct({
  id: 'getUpdate',
  path: '/api/products/{product}/updates',
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  query: () =>
    z.object({
      version: queryText(100, 'The client’s version; if left out, every release is newer.'),
      channel: queryChannel,
      platform: queryPlatform,
    }),
  answer: () =>
    component('ProductUpdateShowData', {
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
  refusals: ['not_found', 'validation_failed'],
  localized: true,
  tool: { name: 'check_update', effect: 'reads' },
});

export const planInstall = onProduct({
  id: 'planInstall',
  path: '/api/products/{product}/install',
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  query: () =>
    z.object({
      channel: queryOneOf(
        CHANNELS,
        'Release channel, which includes every more stable one; `stable` if left out, or that of the `release`.',
      ),
      platform: queryPlatform,
      release: queryInteger(
        'The id of the release to install, on any channel unless `channel` is named; the newest by default.',
      ),
    }),
  answer: () =>
    component('ProductInstallShowData', {
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
  refusals: INSTALL_REFUSALS,
  localized: true,
  tool: { name: 'plan_install', effect: 'reads' },
});

export const getDownloadPipeline = api({
  id: 'getDownloadPipeline',
  path: '/api/downloads/pipeline',
  access: { credential: 'none' },
  answer: () =>
    component('DownloadPipelineData', {
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
  cache: { publicSeconds: SUPPLY_SECONDS },
  localized: 'worded',
  tool: { name: 'list_downloads', effect: 'reads' },
});
