import type { Host } from '../host/host.ts';

/**
 * A host in two parts. The first answers the paths that it has. `loadWhole` loads the host with all paths, for the first
 * request that has any other path, so that no request of the first part waits for code that it does not need.
 */
export const lateHost = (first: Host, loadWhole: () => Promise<Host>): Host => {
  let loading: Promise<Host> | undefined;
  const whole = (): Promise<Host> => {
    loading ??= loadWhole();
    return loading;
  };
  return {
    handle: (request) =>
      first.serves(request.path) ? first.handle(request) : whole().then((host) => host.handle(request)),
    serves: () => true,
  };
};
