import type { Area } from '../composition/area.ts';
import { billing } from '../composition/areas/billing.ts';
import { catalog } from '../composition/areas/catalog.ts';
import { delivery } from '../composition/areas/delivery.ts';
import { devices } from '../composition/areas/devices.ts';
import { licensing } from '../composition/areas/licensing.ts';
import { policy } from '../composition/areas/policy.ts';
import { signing } from '../composition/areas/signing.ts';
import { support } from '../composition/areas/support.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import type { Engines, Settings } from '../composition/engine-settings.ts';
import { apiRoutes } from '../composition/hosts.ts';
import type { PartsWith } from '../composition/parts.ts';
import type { Service } from '../composition/service.ts';
import { sharedParts } from '../composition/shared-parts.ts';
import { slashRoutes } from '../composition/slash-routes.ts';

/** The paths of the reference (reference.ts) and of the account MCP (mcp.ts). */
const ELSEWHERE = [
  '/docs',
  '/openapi.json',
  '/api/mcp',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/api/mcp',
];

/**
 * The service with all areas of the API host, and the host's routes beside its endpoints. It shares the parts of the
 * service that the function started with, which has the areas `firstAreas`.
 */
export const wholeApi = <const A extends readonly Area[]>(
  settings: Settings,
  engines: Engines,
  firstAreas: A,
  first: Service<PartsWith<A>>,
) => {
  const service = bootstrap(
    settings,
    engines,
    [catalog, delivery, licensing, devices, billing, policy, signing, support],
    sharedParts(settings, engines, firstAreas, first),
  );
  return { service, beside: [...apiRoutes(service), ...slashRoutes(ELSEWHERE)] };
};
