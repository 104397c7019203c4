import type { HostRoute } from './host.ts';
import { revalidatedReply } from './reply.ts';

/** Seconds for which anybody may cache the keys. Every key is listed for longer than that before it signs. */
const KEPT_SECONDS = 300;

/**
 * The route of the public keys that verify the service's signatures, as a JWK set (RFC 7517). The set is the same for
 * every caller.
 */
export const jwksRoute = (list: () => Promise<object>): HostRoute => ({
  method: 'GET',
  path: '/.well-known/jwks.json',
  entry: async (request) => {
    const json = JSON.stringify(await list());
    const reply = revalidatedReply(request, json, 'application/jwk-set+json', `public, max-age=${KEPT_SECONDS}`);
    return { ...reply, headers: { ...reply.headers, 'access-control-allow-origin': '*' } };
  },
});
