import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { lazy } from '../system/loading.ts';
import type { HostRoute, Respond } from './host.ts';

/** A route whose code is loaded on demand. */
export type LazyRoute = {
  readonly route: HostRoute;
  /** Resolves when the code is loaded. Otherwise the first request loads it. */
  readonly ready: () => Promise<void>;
};

/** The route of an endpoint that `open` loads once, so that no other request waits for its code. */
export const lazyRoute = ({ method, path }: EndpointSpec, open: () => Promise<Respond>): LazyRoute => {
  const respond = lazy(open);
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
