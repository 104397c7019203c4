import * as z from 'zod';
import { CHANNELS } from '../../../domain/delivery/channel.ts';
import { dateTime, nullableText } from '../answers.ts';
import { endpointsOf } from '../endpoint.ts';
import { pathId, pathText, queryChannel, queryInteger, queryOneOf, queryPlatform, queryText } from '../fields.ts';

const app = endpointsOf({ host: 'app' });

const applicationId = pathId('id of the product, which is an application');

/** The time for which caches may store a public feed, in seconds. */
const FEED_SECONDS = 60;

export const getAppcast = app({
  id: 'getAppcast',
  path: '/distribution/v1/products/{id}/appcast.xml',
  params: () => z.object({ id: applicationId }),
  access: { credential: 'key?', keyAbility: 'device.install' },
  query: () =>
    z.object({
      channel: queryOneOf(
        CHANNELS,
        'Only the releases of this channel and of every more stable one, in a feed without channels. If left out, the feed has every channel, and each client picks its own.',
      ),
    }),
  output: { kind: 'xml', status: 200, mediaType: 'application/rss+xml' },
  refusals: ['not_found', 'missing_api_key', 'product_entitlement_required', 'product_api_key_scope_required'],
  cache: { publicSeconds: FEED_SECONDS },
});

const FEED_REFUSALS = [
  'not_found',
  'missing_api_key',
  'product_entitlement_required',
  'product_api_key_scope_required',
  'install_not_available',
] as const;

export const openUpdateFile = app({
  id: 'openUpdateFile',
  path: '/distribution/v1/products/{id}/updates/{file}',
  params: () =>
    z.object({
      id: applicationId,
      file: pathText(
        'a feed of electron-updater (`latest.yml`, `latest-mac.yml`, `latest-linux.yml`, `latest-linux-arm64.yml`, or with `beta`, `alpha` or `dev` in place of `latest`) or of Velopack (`releases.win.json`, `releases.osx-arm64-beta.json`), or a file that a feed names',
      ),
    }),
  access: { credential: 'key?', keyAbility: 'device.install' },
  query: () =>
    z.object({
      release: queryInteger('The release of the file, as a feed names it.'),
      platform: queryPlatform,
      ticket: queryText(1024, 'The ticket from a link of a feed that was read with a key. It replaces the key.'),
    }),
  answer: () =>
    z.union([
      z.object({
        version: z.string(),
        files: z.array(z.object({ url: z.string(), sha512: z.string().describe('base64'), size: z.int() })),
        path: z.string(),
        sha512: z.string(),
        releaseDate: dateTime,
        stagingPercentage: z.int().optional().describe('present while a phased rollout runs'),
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
  output: { kind: 'json', status: 200, otherwise: 'redirect' },
  refusals: [...FEED_REFUSALS, 'version_update_window_expired', 'validation_failed'],
  cache: { publicSeconds: FEED_SECONDS },
});

export const getTauriUpdate = app({
  id: 'getTauriUpdate',
  path: '/distribution/v1/products/{id}/tauri/{target}/{arch}/{installed}',
  params: () =>
    z.object({
      id: applicationId,
      target: pathText('Tauri’s `{{target}}`: `darwin`, `linux` or `windows`'),
      arch: pathText('Tauri’s `{{arch}}`: `x86_64` or `aarch64`'),
      installed: pathText('Tauri’s `{{current_version}}`: the version of the application that asks'),
    }),
  access: { credential: 'key?', keyAbility: 'device.install' },
  query: () => z.object({ channel: queryChannel }),
  answer: () =>
    z.object({
      version: z.string(),
      url: z.string(),
      signature: z.string().describe('the content of the `.sig` file'),
      notes: nullableText,
      pub_date: dateTime,
    }),
  output: { kind: 'json', status: 200, otherwise: 'empty' },
  refusals: [...FEED_REFUSALS, 'validation_failed'],
  cache: { publicSeconds: FEED_SECONDS },
});

export const downloadRelease = app({
  id: 'downloadRelease',
  path: '/distribution/v1/releases/{release}/download',
  params: () => z.object({ release: pathId('id of the release, from the list of releases') }),
  access: { credential: 'key?', keyAbility: 'device.install' },
  query: () =>
    z.object({
      platform: queryPlatform,
      delta: queryText(64, 'The installed build, to get the patch from that build instead of the whole file.'),
      ticket: queryText(1024, 'The ticket from a link of a feed that was read with a key. It replaces the key.'),
    }),
  output: { kind: 'redirect', status: 302 },
  refusals: [
    'not_found',
    'missing_api_key',
    'product_entitlement_required',
    'product_api_key_scope_required',
    'version_update_window_expired',
    'install_not_available',
    'validation_failed',
  ],
});
