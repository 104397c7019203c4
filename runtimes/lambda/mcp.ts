import { buffered } from '../../adapters/lambda-events/host-function.ts';
import { billing } from '../composition/areas/billing.ts';
import { catalog } from '../composition/areas/catalog.ts';
import { delivery } from '../composition/areas/delivery.ts';
import { devices } from '../composition/areas/devices.ts';
import { licensing } from '../composition/areas/licensing.ts';
import { mcp } from '../composition/areas/mcp.ts';
import { policy } from '../composition/areas/policy.ts';
import { support } from '../composition/areas/support.ts';
import { teams } from '../composition/areas/teams.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { open } from './open.ts';

const { service, host } = await open('mcp', process.env, (settings, engines) =>
  bootstrap(settings, engines, [catalog, delivery, licensing, devices, teams, billing, policy, support, mcp]),
);
const { route, metadata, ready } = service.get('accountMcp');

// It is loaded here, because an instance starts with its full CPU.
await ready();

/** The account MCP and its metadata. It is its own function, so that no other call waits for the protocol to load. */
export const handler = buffered(host('api', [route, ...metadata]));
