import type { JsonBodies } from '../../../../adapters/host/bodies.ts';
import { type LazyRoute, lazyRoute } from '../../../../adapters/host/lazy.ts';
import type { Guard } from '../../../../adapters/pipeline/guard.ts';
import type { Invoker } from '../../../../adapters/pipeline/invoke.ts';
import type { AuthenticateAgent, RecordKeyUse } from '../../../../application/access/authenticate.ts';
import { callDesignMcp } from '../../../../ports/inbound/design/mcp.ts';
import type { EndpointSpec } from '../../../../ports/inbound/endpoint.ts';
import type { Host } from '../../../../ports/inbound/hosts.ts';
import { callShopMcp } from '../../../../ports/inbound/shop/mcp.ts';
import type { Addresses } from '../../settings.ts';

export type Parts = {
  readonly authenticateAgent: AuthenticateAgent;
  readonly guard: Guard;
  readonly jsonBodies: JsonBodies;
  readonly invoker: Invoker;
  readonly recordKeyUse: RecordKeyUse;
  readonly endpoints: readonly EndpointSpec[];
  readonly addresses: Addresses;
};

const mcpParts = ({ authenticateAgent, addresses, invoker, guard, jsonBodies, recordKeyUse }: Parts) => ({
  invoker,
  guard,
  jsonBodies,
  recordKeyUse,
  urls: addresses.urls,
  openTo: addresses.corsOrigins,
  identify: (credential: string) => authenticateAgent(credential),
});

const ofHost = ({ endpoints }: Parts, name: Host): EndpointSpec[] => endpoints.filter(({ host }) => host === name);

/** The design host as tools and resources for agents. */
export const designMcp = {
  parts: {
    designMcp: (parts: Parts): LazyRoute =>
      lazyRoute(callDesignMcp, async () => {
        const { designMcp: make } = await import('../../../../adapters/mcp/design.ts');
        return make({ ...mcpParts(parts), endpoints: ofHost(parts, 'design') });
      }),
  },
};

/** The shop host as tools for the shop's own agents. */
export const shopMcp = {
  parts: {
    shopMcp: (parts: Parts): LazyRoute =>
      lazyRoute(callShopMcp, async () => {
        const { shopMcp: make } = await import('../../../../adapters/mcp/design.ts');
        return make({ ...mcpParts(parts), endpoints: ofHost(parts, 'shop') });
      }),
  },
};
