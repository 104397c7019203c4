import type { JsonBodies } from '../../../adapters/host/json-bodies.ts';
import type { Guard } from '../../../adapters/pipeline/guard.ts';
import type { Invoker } from '../../../adapters/pipeline/invoke.ts';
import type { AuthenticateAgent } from '../../../application/access/authenticate-agent.ts';
import type { RecordKeyUse } from '../../../application/access/record-key-use.ts';
import { callDesignMcp } from '../../../ports/inbound/design/mcp.ts';
import type { EndpointSpec } from '../../../ports/inbound/endpoint.ts';
import type { Addresses } from '../engine-settings.ts';
import { type LateRoute, lateRoute } from '../late-route.ts';

export type Parts = {
  readonly authenticateAgent: AuthenticateAgent;
  readonly guard: Guard;
  readonly jsonBodies: JsonBodies;
  readonly invoker: Invoker;
  readonly recordKeyUse: RecordKeyUse;
  readonly endpoints: readonly EndpointSpec[];
  readonly addresses: Addresses;
};

/** The design host as tools and resources for agents. */
export const designMcp = {
  parts: {
    designMcp: (parts: Parts): LateRoute =>
      lateRoute(callDesignMcp, async () => {
        const { designMcp: make } = await import('../../../adapters/mcp/design.ts');
        const { invoker, guard, jsonBodies, recordKeyUse, authenticateAgent } = parts;
        return make({
          invoker,
          guard,
          jsonBodies,
          recordKeyUse,
          urls: parts.addresses.urls,
          openTo: parts.addresses.corsOrigins,
          endpoints: parts.endpoints.filter(({ host }) => host === 'design'),
          identify: (credential) => authenticateAgent(credential),
        });
      }),
  },
};
