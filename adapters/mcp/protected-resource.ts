import type { HostRoute } from '../host/host.ts';
import { revalidatedReply } from '../host/reply.ts';

/** The facts of a protected resource by which a client finds the place to sign in (RFC 9728, section 2). */
export type ProtectedResource = {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly resource_name: string;
};

const ROOT = '/.well-known/oauth-protected-resource';

/** Seconds for which anybody may cache the metadata. */
const KEPT_SECONDS = 300;

/** The address of the metadata of a resource: its path comes after the well-known one (RFC 9728, section 3.1). */
export const metadataUrl = (host: string, path: string): string => `${host}${ROOT}${path}`;

/**
 * The routes of a resource's metadata: at the well-known path of the whole host, and at the resource's own. It is the
 * same for everybody, so that pages of every origin, such as an inspector, may read it.
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
        `public, max-age=${KEPT_SECONDS}`,
      );
      return { ...reply, headers: { ...reply.headers, 'access-control-allow-origin': '*' } };
    },
  }));
};
