import * as z from 'zod';
import { CHANNELS } from '../../../domain/delivery/channel.ts';
import { endpointsOf } from '../endpoint.ts';
import { product_id, queryChannel, queryInteger, queryOneOf, queryPlatform, queryText } from '../fields.ts';

const api = endpointsOf({ host: 'api' });
const onProduct = endpointsOf({ host: 'api', params: z.object({ product: product_id }) });

const INSTALL_REFUSALS = ['install_not_available', 'version_update_window_expired', 'validation_failed'] as const;

/** Seconds for which every cache may keep the public supply. */
const SUPPLY_SECONDS = 60;

export const downloadBundle = onProduct({
  id: 'downloadBundle',
  path: '/api/products/{product}/bundle',
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  query: z.object({ platform: queryPlatform }),
  output: { kind: 'binary', status: 200 },
  refusals: INSTALL_REFUSALS,
  tool: { name: 'download_bundle', effect: 'reads' },
});

export const listReleases = onProduct({
  id: 'listReleases',
  path: '/api/products/{product}/releases',
  access: { credential: 'key' },
  query: z.object({ channel: queryChannel }),
  cache: 'revalidate',
  localized: true,
  tool: { name: 'list_releases', effect: 'reads' },
});

export const getUpdate = onProduct({
  id: 'getUpdate',
  path: '/api/products/{product}/updates',
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  query: z.object({
    version: queryText(100, 'The client’s version; if left out, every release is newer.'),
    channel: queryChannel,
    platform: queryPlatform,
  }),
  refusals: ['not_found', 'validation_failed'],
  localized: true,
  tool: { name: 'check_update', effect: 'reads' },
});

export const planInstall = onProduct({
  id: 'planInstall',
  path: '/api/products/{product}/install',
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  query: z.object({
    channel: queryOneOf(
      CHANNELS,
      'Release channel, which includes every more stable one; `stable` if left out, or that of the `release`.',
    ),
    platform: queryPlatform,
    release: queryInteger(
      'The id of the release to install, on any channel unless `channel` is named; the newest by default.',
    ),
  }),
  refusals: INSTALL_REFUSALS,
  localized: true,
  tool: { name: 'plan_install', effect: 'reads' },
});

export const getDownloadPipeline = api({
  id: 'getDownloadPipeline',
  path: '/api/downloads/pipeline',
  access: { credential: 'none' },
  cache: { publicSeconds: SUPPLY_SECONDS },
  localized: 'worded',
  tool: { name: 'list_downloads', effect: 'reads' },
});
