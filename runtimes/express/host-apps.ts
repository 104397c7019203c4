import type { RequestListener } from 'node:http';
import type { Express } from 'express';
import { isConsolePage, isDesignPage, isHealth, type ServedHost } from '../../adapters/host/addresses.ts';
import type { HostOptions, RequestLog } from '../../adapters/host/host.ts';
import type { SpoolFolder } from '../../adapters/host/spool.ts';
import { hostApp, type Pages } from '../../adapters/http/host-app.ts';
import { addressBehind, authorityOf } from '../../adapters/http/node-requests.ts';
import { LOOPBACK } from '../../domain/shared/loopback.ts';
import { HOSTS, type Host } from '../../ports/inbound/hosts.ts';
import type { Service } from '../composition/bootstrap.ts';
import { openHost, type SignedRoutes } from '../composition/hosts.ts';
import { rootRoutes, routesBeside } from '../composition/routes-beside.ts';
import { type Config, ConfigError } from '../configuration/config.ts';

/** The hosts whose pages link from the root of their host, and the variables with their public addresses. */
const WITH_PAGES = [
  ['account', 'ACCOUNT_URL'],
  ['design', 'DESIGN_URL'],
  ['shop', 'SHOP_URL'],
] as const;

/**
 * Throws ConfigError, with a line for each, if the public address of a host with pages has a path. The AWS functions
 * accept such an address, because they show no pages under it.
 */
export const checkPageUrls = ({ urls }: Pick<Config, 'urls'>): void => {
  const lines = WITH_PAGES.flatMap(([host, variable]) => {
    const url = urls[host];
    return url === undefined || URL.parse(url)?.pathname === '/'
      ? []
      : `${variable} takes a URL without a path, because the pages of this host link from its root; it is "${url}". Give the host a name or a port of its own.`;
  });
  if (lines.length > 0) throw new ConfigError(lines.join('\n'));
};

/** The host names of a URL in requests: with the port of its scheme, and without. */
const namesOf = ({ protocol, host, port }: URL): string[] =>
  port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host];

/**
 * Chooses the listener by the host name of a request, if it is a configured public address, so that one port behind a
 * proxy serves all hosts. Any other request goes to the listener of its port. A name that two hosts share is ignored.
 * The port of the shop host serves no other host, and no other port serves the shop host, unless the operator gave it a
 * name beyond this machine.
 */
export const byHostName = (
  listeners: Record<ServedHost, RequestListener>,
  urls: Readonly<Partial<Record<ServedHost, string | undefined>>>,
  ofPort: ServedHost,
): RequestListener => {
  if (ofPort === 'shop') return listeners.shop;
  const names = (Object.entries(urls) as [ServedHost, string | undefined][]).flatMap(([host, text]) => {
    const url = URL.parse(text ?? '');
    return !url || (host === 'shop' && LOOPBACK.has(url.hostname)) ? [] : namesOf(url).map((name) => ({ name, host }));
  });
  const byName = Map.groupBy(names, ({ name }) => name);
  const named = new Map(
    [...byName].flatMap(([name, [first, ...more]]) => (first && !more.length ? [[name, first.host]] : [])),
  );
  return (req, res) => listeners[named.get(authorityOf(req)) ?? ofPort](req, res);
};

export type AppsServing = {
  readonly service: Service;
  /** Public addresses of the hosts, without a slash at the end. */
  readonly urls: Readonly<Record<Host, string>>;
  readonly options: Pick<HostOptions, 'log' | 'fault' | 'health' | 'ready'>;
  /** The request log of each host; by default `options.log` for all of them. */
  readonly logOf?: ((host: ServedHost) => RequestLog) | undefined;
  /** Proxies that are trusted to name the client's address; none if empty. */
  readonly trustedProxies: readonly string[];
  readonly spool: SpoolFolder;
  /** The routes of signed URLs, if the object store does not serve them itself. */
  readonly signed: SignedRoutes;
};

/** The Express app of every host. */
export const hostApps = (serving: AppsServing): Record<ServedHost, Express> => {
  const { service, urls, logOf = () => serving.options.log, trustedProxies, signed } = serving;
  const addressOf = addressBehind(trustedProxies);
  const optionsOf = (name: ServedHost) => ({ ...serving.options, log: logOf(name) });
  const pages: Partial<Record<ServedHost, Pages>> = {
    account: {
      has: (path) => !isHealth(path),
      load: async () => {
        const { accountApp } = await import('../composition/account-app.ts');
        return accountApp({ service, urls, options: optionsOf('account'), spool: serving.spool, addressOf });
      },
    },
    shop: {
      has: isConsolePage,
      load: async () => {
        const { consoleApp } = await import('../composition/console-app.ts');
        return consoleApp({ service, urls, options: optionsOf('shop'), spool: serving.spool, addressOf });
      },
    },
    design: {
      has: isDesignPage,
      load: async () => {
        const { designApp } = await import('../composition/design-app.ts');
        return designApp({ service, urls, options: optionsOf('design'), addressOf });
      },
    },
  };
  const appOf = (name: ServedHost): Express => {
    const options = optionsOf(name);
    const beside = [...rootRoutes(name, urls), ...routesBeside(name, service, signed)];
    const host = openHost(name, { ...serving, options, beside });
    return hostApp(host, options, addressOf, pages[name]);
  };
  const names: readonly ServedHost[] = [...HOSTS, 'legacy'];
  return Object.fromEntries(names.map((name) => [name, appOf(name)])) as Record<ServedHost, Express>;
};
