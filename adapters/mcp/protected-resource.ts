import type { HostRoute } from '../host/host.ts';
import { revalidatedReply } from '../host/reply.ts';

/** The metadata of a protected resource by which a client finds the authorization server (RFC 9728, section 2). */
export type ProtectedResource = {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly resource_name: string;
};

const ROOT = '/.well-known/oauth-protected-resource';

/** Seconds for which shared caches may keep the metadata. */
const METADATA_MAX_AGE = 300;

/** The metadata URL of a resource: its path follows the well-known path (RFC 9728, section 3.1). */
export const metadataUrl = (host: string, path: string): string => `${host}${ROOT}${path}`;

/**
 * The routes of a resource's metadata: the well-known path of the host, and the path of the resource. The metadata is
 * the same for every caller, so pages of any origin, such as an inspector, may read it.
 */
export const protectedResourceRoutes = (path: string, facts: ProtectedResource): HostRoute[] => {
  const json = JSON.stringify({ ...facts, bearer_methods_supported: ['header'] });
  return [ROOT, `${ROOT}${path}`].map((route) => ({
    method: 'GET',
    path: route,
    entry: (request) => {
      const reply = revalidatedReply(
        request,
        json,
        'application/json; charset=utf-8',
        `public, max-age=${METADATA_MAX_AGE}`,
      );
      return { ...reply, headers: { ...reply.headers, 'access-control-allow-origin': '*' } };
    },
  }));
};
