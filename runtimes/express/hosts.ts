import type { RequestListener } from 'node:http';
import type { Router } from 'express';
import { hostRoutes } from '../../adapters/http/api.ts';
import { type AppOptions, hostApp } from '../../adapters/http/app.ts';
import { openTo } from '../../adapters/http/cross-origin.ts';
import { docsRouter } from '../../adapters/http/docs.ts';
import { jwksRouter } from '../../adapters/http/jwks.ts';
import { legacyRoutes } from '../../adapters/http/legacy.ts';
import type { SpoolFolder } from '../../adapters/http/spool.ts';
import { openApiDocument } from '../../adapters/openapi/document.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { Service } from '../composition/bootstrap.ts';

/** What the hosts are served with beside the service. */
type Beside = {
  /** Serves signed URLs on the API host; undefined where the object store does so itself. */
  readonly downloads: Router | undefined;
  /** Where files lie that come in. */
  readonly spool: SpoolFolder;
};

type Urls = Readonly<Record<Host, string>>;

/** A host that is served: one that has endpoints of its own, or the one that passes requests on to the API's. */
export type ServedHost = Host | 'legacy';

/** The app of each host. */
export const hostApps = (
  service: Service,
  urls: Urls,
  options: AppOptions,
  { downloads, spool }: Beside,
): Record<ServedHost, RequestListener> => {
  const keys = service.get('listVerificationKeys');
  const beside: Record<Host, Router[]> = {
    api: [
      docsRouter(openApiDocument(urls), Object.values(urls)),
      jwksRouter(() => keys.execute()),
      ...(downloads ? [downloads] : []),
    ],
    design: [],
    app: [],
    account: [],
  };
  const invoker = service.get('invoker');
  const appOf = (host: Host): RequestListener => hostApp([hostRoutes(host, invoker, spool), ...beside[host]], options);
  const openAppOf = (host: 'design' | 'app'): RequestListener =>
    hostApp([openTo(urls.api), hostRoutes(host, invoker, spool), ...beside[host]], options);
  return {
    api: appOf('api'),
    design: openAppOf('design'),
    app: openAppOf('app'),
    account: appOf('account'),
    legacy: hostApp([legacyRoutes(hostRoutes('api', invoker, spool))], options),
  };
};

/**
 * Picks the app by the name in the Host header where that is one of the public names, so that one port behind a proxy
 * serves them all; else by the port that the request came in on. Names that two hosts share decide nothing.
 */
export const byHostName = (
  apps: Record<ServedHost, RequestListener>,
  urls: Readonly<Partial<Record<ServedHost, string>>>,
  ofPort: ServedHost,
): RequestListener => {
  const hosts = Object.entries(urls) as [ServedHost, string][];
  const byName = Map.groupBy(hosts, ([, url]) => new URL(url).host);
  const named = new Map(
    [...byName].flatMap(([name, [first, ...more]]) => (first && !more.length ? [[name, first[0]]] : [])),
  );
  return (req, res) => apps[named.get(req.headers.host?.toLowerCase() ?? '') ?? ofPort](req, res);
};
