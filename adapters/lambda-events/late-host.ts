import { framed, type Host, type HostOptions } from '../host/host.ts';
import { late } from '../host/late.ts';

/**
 * A host in two parts. The first answers the paths that it has. `loadWhole` loads the host with all paths, for the first
 * request that has any other path, so that no request of the first part waits for code that it does not need. If the
 * whole can't be loaded, those who wait for it get the answer to a fault, and the next request tries again. `options`
 * are the first part's own.
 */
export const lateHost = (
  first: Host,
  loadWhole: () => Promise<Host>,
  options: Pick<HostOptions, 'log' | 'fault' | 'openTo'>,
): Host => {
  const whole = late(loadWhole);
  const failedBy = (error: unknown): Host['handle'] => framed(options, () => Promise.reject(error));
  return {
    handle: (request) =>
      first.serves(request.path)
        ? first.handle(request)
        : whole().then(
            (host) => host.handle(request),
            (error: unknown) => failedBy(error)(request),
          ),
    serves: () => true,
  };
};
