import { buffered } from '../../adapters/lambda-events/host-function.ts';
import { rootRoute } from '../../adapters/web/root.ts';
import { billing } from '../composition/areas/billing.ts';
import { catalog } from '../composition/areas/catalog.ts';
import { delivery } from '../composition/areas/delivery.ts';
import { devices } from '../composition/areas/devices.ts';
import { licensing } from '../composition/areas/licensing.ts';
import { policy, signing } from '../composition/areas/policy.ts';
import { support } from '../composition/areas/support.ts';
import { teams } from '../composition/areas/teams.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { apiRoutes } from '../composition/hosts.ts';
import { open, slashRoutes } from './open.ts';

/** The paths of the reference (reference.ts) and of the account MCP (mcp.ts). */
const ELSEWHERE = [
  '/docs',
  '/openapi.json',
  '/api/mcp',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/api/mcp',
];

const { service, urls, host } = await open('api', process.env, (settings, engines) =>
  bootstrap(settings, engines, [catalog, delivery, licensing, devices, teams, billing, policy, signing, support]),
);

/** The API host without the endpoints that stream files (downloads.ts) and without the reference (reference.ts). */
export const handler = buffered(
  host('api', [rootRoute('api', urls), ...apiRoutes(service), ...slashRoutes(ELSEWHERE)]),
);
