import type { RequestListener } from 'node:http';
import type { Router } from 'express';
import { hostRoutes } from '../../adapters/http/api.ts';
import { type AppOptions, hostApp } from '../../adapters/http/app.ts';
import { docsRouter } from '../../adapters/http/docs.ts';
import { openApiDocument } from '../../adapters/openapi/document.ts';
import { HOSTS, type Host } from '../../ports/inbound/hosts.ts';
import type { Service } from '../composition/bootstrap.ts';

type Urls = Readonly<Record<Host, string>>;

/** The app of each host. `downloads` serves signed URLs on the API host, where the object store does not do so itself. */
export const hostApps = (
  service: Service,
  urls: Urls,
  options: AppOptions,
  downloads: Router | undefined,
): Record<Host, RequestListener> => {
  const beside: Record<Host, Router[]> = {
    api: [docsRouter(openApiDocument(urls)), ...(downloads ? [downloads] : [])],
    design: [],
    app: [],
    account: [],
  };
  const invoker = service.get('invoker');
  return Object.fromEntries(
    HOSTS.map((host) => [host, hostApp([hostRoutes(host, invoker), ...beside[host]], options)]),
  ) as unknown as Record<Host, RequestListener>;
};

/**
 * Picks the app by the name in the Host header where that is one of the public names, so that one port behind a proxy
 * serves them all; else by the port that the request came in on. Names that two hosts share decide nothing.
 */
export const byHostName = (apps: Record<Host, RequestListener>, urls: Urls, ofPort: Host): RequestListener => {
  const named = new Map<string, Host>();
  for (const host of HOSTS) {
    const name = new URL(urls[host]).host;
    if (HOSTS.filter((other) => new URL(urls[other]).host === name).length === 1) named.set(name, host);
  }
  return (req, res) => apps[named.get(req.headers.host?.toLowerCase() ?? '') ?? ofPort](req, res);
};
