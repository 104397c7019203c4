import * as z from 'zod';
import { endpointsOf } from '../endpoint.ts';
import { productId, queryChannel, queryInteger, queryPlatform, queryText } from '../fields.ts';

const api = endpointsOf('api');

/** Seconds for which every cache may keep the public supply. */
const SUPPLY_SECONDS = 60;

export const downloadBundle = api({
  id: 'downloadBundle',
  path: '/api/products/{product}/bundle',
  params: z.object({ product: productId }),
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  output: { kind: 'binary', status: 200 },
  refusals: ['install_not_available', 'version_update_window_expired'],
  tool: { name: 'download_bundle', effect: 'reads' },
});

export const listReleases = api({
  id: 'listReleases',
  path: '/api/products/{product}/releases',
  params: z.object({ product: productId }),
  access: { credential: 'key' },
  query: z.object({ channel: queryChannel }),
  cache: 'revalidate',
  localized: true,
  tool: { name: 'list_releases', effect: 'reads' },
});

export const getUpdate = api({
  id: 'getUpdate',
  path: '/api/products/{product}/updates',
  params: z.object({ product: productId }),
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  query: z.object({
    version: queryText(100, 'The client’s version; if left out or unreadable, every release is newer.'),
    channel: queryChannel,
    platform: queryPlatform,
  }),
  refusals: ['not_found'],
  localized: true,
  tool: { name: 'check_update', effect: 'reads' },
});

export const planInstall = api({
  id: 'planInstall',
  path: '/api/products/{product}/install',
  params: z.object({ product: productId }),
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  query: z.object({
    channel: queryChannel,
    platform: queryPlatform,
    release: queryInteger('The id of the release to install; the newest by default.'),
  }),
  refusals: ['install_not_available', 'version_update_window_expired'],
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
