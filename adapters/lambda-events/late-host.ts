import { framed, type Host, type HostOptions } from '../host/host.ts';
import { late } from '../host/late.ts';

/**
 * A host in two parts. The first answers the paths that it has. The first request for any other path loads the host with
 * all paths by `loadWhole`, so that the paths of the first part never wait for that code. If the whole can't be loaded,
 * those who wait for it get the answer to a fault, and the next request tries again. `options` are the first part's own.
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
