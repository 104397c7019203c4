import type { RequestListener } from 'node:http';
import type { HostOptions } from '../../adapters/host/host.ts';
import type { SpoolFolder } from '../../adapters/host/spool.ts';
import { addressBehind, nodeListener } from '../../adapters/http/node-listener.ts';
import { isReference } from '../../adapters/web/reference-path.ts';
import { HOSTS, type Host } from '../../ports/inbound/hosts.ts';
import { isDesignPage } from '../composition/design-routes.ts';
import { isHealth, limitOf, openHost, routesBeside, type ServedHost, type SignedRoutes } from '../composition/hosts.ts';
import type { Service } from '../composition/service.ts';
import { lateListener } from './late-listener.ts';

type Serving = {
  readonly service: Service;
  /** Public addresses of the hosts, without a slash at the end. */
  readonly urls: Readonly<Record<Host, string>>;
  readonly options: Pick<HostOptions, 'log' | 'fault' | 'health'>;
  /** Proxies that are trusted to name the client's address; none if empty. */
  readonly trustedProxies: readonly string[];
  readonly spool: SpoolFolder;
  /** The routes of signed URLs, where the object store does not serve them itself. */
  readonly signed: SignedRoutes;
};

const pathOf = (url: string | undefined): string => (url ?? '').split('?', 1)[0] as string;

/**
 * The listener of each host. The reference, the gallery and the account host's pages are Express apps, each loaded with
 * its first request; every other request goes to the host without a framework.
 */
export const hostListeners = (serving: Serving): Record<ServedHost, RequestListener> => {
  const { service, urls, options, trustedProxies, signed } = serving;
  const addressOf = addressBehind(trustedProxies);
  const pages = { service, urls, options, addressOf };
  const listener = (name: ServedHost): RequestListener =>
    nodeListener(openHost(name, { ...serving, beside: routesBeside(name, service, signed) }), addressOf);
  const names = [...HOSTS, 'legacy' as const];
  const hosts = Object.fromEntries(names.map((name) => [name, listener(name)])) as Record<ServedHost, RequestListener>;
  const reference = lateListener(async () => {
    const { referenceApp } = await import('../composition/reference-app.ts');
    return referenceApp({ ...options, urls, addressOf, limit: limitOf(service) });
  }, options);
  const accountPages = lateListener(
    async () => (await import('../composition/account-app.ts')).accountApp(pages),
    options,
  );
  const gallery = lateListener(async () => (await import('../composition/design-app.ts')).designApp(pages), options);
  return {
    ...hosts,
    api: (req, res) => (isReference(req.url ?? '') ? reference : hosts.api)(req, res),
    design: (req, res) => (isDesignPage(pathOf(req.url)) ? gallery : hosts.design)(req, res),
    account: (req, res) => (isHealth(pathOf(req.url)) ? hosts.account : accountPages)(req, res),
  };
};

/**
 * Picks the listener by the Host header if it is a public name, so that one port behind a proxy serves all hosts. Any
 * other request goes to the listener of its port. A name that two hosts share does not count.
 */
export const byHostName = (
  listeners: Record<ServedHost, RequestListener>,
  urls: Readonly<Partial<Record<ServedHost, string>>>,
  ofPort: ServedHost,
): RequestListener => {
  const hosts = Object.entries(urls) as [ServedHost, string][];
  const byName = Map.groupBy(hosts, ([, url]) => new URL(url).host);
  const named = new Map(
    [...byName].flatMap(([name, [first, ...more]]) => (first && !more.length ? [[name, first[0]]] : [])),
  );
  return (req, res) => listeners[named.get(req.headers.host?.toLowerCase() ?? '') ?? ofPort](req, res);
};
