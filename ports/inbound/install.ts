import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { examples } from './examples.ts';
import { ProductInstallData } from './schemas/delivery.ts';
import { queryChannel, queryInteger, queryPlatform } from './schemas/fields.ts';

export const planInstall = endpoint({
  id: 'planInstall',
  host: 'api',
  method: 'GET',
  path: '/api/products/{product}/install',
  group: 'Install',
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  query: z.object({
    channel: queryChannel,
    platform: queryPlatform,
    release: queryInteger('The id of one release, instead of the newest.'),
  }),
  output: {
    kind: 'json',
    status: 200,
    schema: z.object({ data: ProductInstallData }).meta({ id: 'ProductInstallShowData' }),
    example: examples.install,
  },
  refusals: ['install_not_available', 'version_update_window_expired'],
  localized: true,
  summary: 'Plan an install',
  description:
    'The newest release within the update window that has a file for the platform, with a signed URL (valid 15 minutes, no credential needed) and the sha256 to compare. Asking again is cheap and records nothing.',
});
