import type { RequestListener } from 'node:http';
import express from 'express';
import { fetchHandler } from '../../adapters/fetch/fetch-handler.ts';
import type { Host } from '../../adapters/host/host.ts';
import { expressRouter } from '../../adapters/http/express-router.ts';
import { DOCUMENTED, isReference } from '../../adapters/web/reference-path.ts';
import { HOSTS } from '../../ports/inbound/hosts.ts';
import { isHealth, openHost, routesBeside, type ServedHost } from '../../runtimes/composition/hosts.ts';
import { lateHostListeners } from '../../runtimes/express/late-hosts.ts';
import { addressOf, fetchListener } from '../support/fetch-listener.ts';
import type { Carry } from './express-mount.ts';

/** Every host by another mount; the reference and the account host's pages stay the Express apps that they are. */
export const mountedBy =
  (mount: (host: Host) => RequestListener): Carry =>
  (serving) => {
    const { service, signed } = serving;
    const apps = lateHostListeners(serving);
    const listener = (name: ServedHost): RequestListener =>
      mount(openHost(name, { ...serving, beside: routesBeside(name, service, signed) }));
    const listeners = Object.fromEntries([...HOSTS, 'legacy' as const].map((name) => [name, listener(name)]));
    const { account } = listeners as Record<ServedHost, RequestListener>;
    const withReference = (host: (typeof DOCUMENTED)[number]): RequestListener => {
      const [own, late] = [listeners[host] as RequestListener, apps[host]];
      return (req, res) => (isReference(host, req.url ?? '') ? late : own)(req, res);
    };
    return {
      ...(listeners as Record<ServedHost, RequestListener>),
      ...Object.fromEntries(DOCUMENTED.map((host) => [host, withReference(host)])),
      account: (req, res) => (isHealth(req.url ?? '') ? account : apps.account)(req, res),
    };
  };

/** The hosts as routers in Express apps of somebody else's, which answer all other paths by themselves. */
export const byExpressRouter: Carry = mountedBy((host) => {
  const app = express().disable('x-powered-by');
  app.use(expressRouter(host));
  // The app has nothing of its own here, so that the host's own answer to unknown paths is its own.
  app.use((req, res) => expressRouter({ ...host, serves: () => true })(req, res, () => {}));
  return app;
});

/** The hosts by `Request` and `Response` alone. */
export const byFetch: Carry = mountedBy((host) => fetchListener(fetchHandler(host, addressOf)));
