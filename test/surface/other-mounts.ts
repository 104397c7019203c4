import type { RequestListener } from 'node:http';
import express from 'express';
import { fetchHandler } from '../../adapters/fetch/fetch-handler.ts';
import { isHealth, type ServedHost } from '../../adapters/host/addresses.ts';
import type { HostFunction } from '../../adapters/host/host.ts';
import { expressRouter } from '../../adapters/http/node-requests.ts';
import { HOSTS } from '../../ports/inbound/hosts.ts';
import { openHost } from '../../runtimes/composition/hosts.ts';
import { rootRoutes, routesBeside } from '../../runtimes/composition/routes-beside.ts';
import { hostApps } from '../../runtimes/express/host-apps.ts';
import { addressOf, fetchListener } from '../support/fetch-listener.ts';
import type { Carry } from './express-mount.ts';

/** Serves every host by another mount; the account host's pages remain an Express app. */
export const mountedBy =
  (mount: (host: HostFunction) => RequestListener): Carry =>
  (serving) => {
    const { service, signed } = serving;
    const apps = hostApps(serving);
    const listener = (name: ServedHost): RequestListener =>
      mount(
        openHost(name, {
          ...serving,
          beside: [...rootRoutes(name, serving.urls), ...routesBeside(name, service, signed)],
        }),
      );
    const names: readonly ServedHost[] = [...HOSTS, 'legacy'];
    const listeners = Object.fromEntries(names.map((name) => [name, listener(name)])) as Record<
      ServedHost,
      RequestListener
    >;
    const { account } = listeners;
    return { ...listeners, account: (req, res) => (isHealth(req.url ?? '') ? account : apps.account)(req, res) };
  };

/** The hosts as routers in other Express apps, which answer all other paths themselves. */
export const byExpressRouter: Carry = mountedBy((host) => {
  const app = express().disable('x-powered-by');
  app.use(expressRouter(host));
  // This app has no other routes, so it returns the host's own answer to unknown paths.
  app.use((req, res) => expressRouter({ ...host, serves: () => true })(req, res, () => {}));
  return app;
});

/** The hosts with only `Request` and `Response`. */
export const byFetch: Carry = mountedBy((host) => fetchListener(fetchHandler(host, addressOf)));
