import { framed, type Host, type HostOptions } from '../../adapters/host/host.ts';
import { NO_STORE, refusalReply, wholeReply, wrongMethodReply } from '../../adapters/host/reply.ts';
import { Routes } from '../../adapters/host/routes.ts';
import { ConnectionLimits } from '../../adapters/http/connection-limits.ts';
import type { GuardOptions } from '../../adapters/http/guarded-server.ts';
import { SERVER_BOUNDS } from '../../adapters/http/server-bounds.ts';
import { refuse } from '../../domain/shared/outcome.ts';

/**
 * The connections that the address of the metrics takes at once, and those of one client. A scraper needs one, and
 * nobody but the scraper should hold them all.
 */
const CONNECTIONS = { all: 16, perAddress: 8 };

/** The bounds of the metrics' own server. Its requests are short and have no body. */
export const metricsGuard = (): GuardOptions => ({
  bounds: { ...SERVER_BOUNDS, headerBytes: 8 * 1024, headersMs: 5000, requestMs: 30_000, bodyGraceMs: 5000 },
  connections: new ConnectionLimits(CONNECTIONS),
});

/** The metrics in the text of a format, by which their media type tells. */
export type Exposition = { readonly contentType: string; readonly text: () => Promise<string> };

/**
 * The host of `/metrics`, and of nothing else. It takes no credential, so that whoever reaches its address may read the
 * metrics. Its own requests are not logged, because there is one every few seconds.
 */
export const metricsHost = (metrics: Exposition, fault: HostOptions['fault']): Host => {
  const routes = new Routes([{ method: 'GET', path: '/metrics', entry: metrics }]);
  const handle = framed({ log: () => {}, fault }, async ({ method, path }) => {
    const found = routes.find(path);
    if (!found) return refusalReply(refuse('not_found'));
    const entry = found.entries.get(method);
    if (!entry) return wrongMethodReply([...found.entries.keys()]);
    return wholeReply(200, entry.contentType, await entry.text(), { 'cache-control': NO_STORE });
  });
  return { handle, serves: (path) => routes.find(path) !== undefined };
};
