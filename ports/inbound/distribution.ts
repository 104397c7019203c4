import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { queryPlatform, queryText } from './schemas/fields.ts';

const group = 'App distribution';

const access = { credential: 'key?', keyAbility: 'device.install' } as const;

/** Seconds for which everybody may keep the feed that everybody gets. */
const FEED_SECONDS = 60;

export const getAppcast = endpoint({
  id: 'getAppcast',
  host: 'app',
  method: 'GET',
  path: '/distribution/v1/products/{id}/appcast.xml',
  group,
  access,
  query: z.object({
    channel: queryText(
      64,
      'One channel and stable, as a feed without channels. Left out, the feed has all of them, and each client picks its own.',
    ),
  }),
  output: { kind: 'xml', status: 200, mediaType: 'application/rss+xml' },
  refusals: ['not_found', 'missing_api_key', 'product_entitlement_required', 'product_api_key_scope_required'],
  cache: { publicSeconds: FEED_SECONDS },
  summary: 'Get an application’s appcast',
  description:
    'The update feed of an application as Sparkle 2 reads it, newest first. Without a key it is there where the product’s feed is public. With one, it has what the account may use: releases beyond its update window are left out, and the links can be followed without a header for a day, by a ticket that is no key. Other parameters are ignored.',
});

export const downloadRelease = endpoint({
  id: 'downloadRelease',
  host: 'app',
  method: 'GET',
  path: '/distribution/v1/releases/{release}/download',
  group,
  access,
  query: z.object({
    platform: queryPlatform,
    delta: queryText(64, 'The build that a patch is wanted for, instead of the whole file.'),
    ticket: queryText(1024, 'What a feed that was asked for with a key has put into its links, in place of the key.'),
  }),
  output: { kind: 'redirect', status: 302 },
  refusals: [
    'not_found',
    'missing_api_key',
    'product_entitlement_required',
    'product_api_key_scope_required',
    'version_update_window_expired',
    'install_not_available',
  ],
  summary: 'Download a release',
  description:
    'Leads to a signed URL that is valid for 15 minutes, needs no credential and takes ranges. Where the product’s feed is public, no key is needed; releases of products that are no applications always need one. A key that is sent decides, whatever the ticket says.',
});
