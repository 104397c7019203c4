import type { HostRoute, Respond } from '../../adapters/host/host.ts';
import { late } from '../../adapters/host/late.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';

/** A route whose code loads when it is needed. */
export type LateRoute = {
  readonly route: HostRoute;
  /** Resolves when the code is loaded, which the first request waits for otherwise. */
  readonly ready: () => Promise<void>;
};

/** The route of an endpoint that `open` loads once: no other request waits for its code. */
export const lateRoute = ({ method, path }: EndpointSpec, open: () => Promise<Respond>): LateRoute => {
  const respond = late(open);
  return {
    route: {
      method,
      path,
      entry: async (request, params, requestId) => (await respond())(request, params, requestId),
      counts: 'itself',
    },
    ready: async () => void (await respond()),
  };
};
