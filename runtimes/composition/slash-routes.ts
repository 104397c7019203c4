import type { HostRoute } from '../../adapters/host/host.ts';
import { refusalReply } from '../../adapters/host/reply.ts';
import { refuse } from '../../domain/shared/outcome.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const;

/**
 * The routes of paths that another function answers. A gateway gives this function such a path only with a slash at its
 * end, which no resource of the gateway has: the answer leads the client to the path without it (308), whatever the
 * method. The Location is relative, because the address of a gateway may have a path of its own.
 */
export const slashRoutes = (paths: readonly string[]): HostRoute[] =>
  paths.flatMap((path) =>
    METHODS.map((method) => ({
      method,
      path,
      entry: (request) => {
        const [, last] = /([^/]+)\/$/.exec(request.path) ?? [];
        if (last === undefined) return refusalReply(refuse('not_found'));
        const query = request.query === '' ? '' : `?${request.query}`;
        return { status: 308, headers: { location: `../${last}${query}`, 'content-length': '0' }, body: null };
      },
    })),
  );
