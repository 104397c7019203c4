import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { frameHeaders, type HostOptions, type RequestLog, requestIdOf } from '../../adapters/host/host.ts';
import { late } from '../../adapters/host/late.ts';
import { refusalReply } from '../../adapters/host/reply.ts';
import type { HostHeaders } from '../../adapters/host/request.ts';
import type { SpoolFolder } from '../../adapters/host/spool.ts';
import { sendReply } from '../../adapters/http/carry.ts';
import { addressBehind, nodeListener } from '../../adapters/http/node-listener.ts';
import { DOCUMENTED, isReference } from '../../adapters/web/reference-path.ts';
import { refuse } from '../../domain/shared/outcome.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { CallParts } from '../composition/areas/calls.ts';
import { isDesignPage } from '../composition/design-routes.ts';
import {
  callRoutes,
  isHealth,
  limitOf,
  openHost,
  routesBeside,
  type ServedHost,
  type SignedRoutes,
} from '../composition/hosts.ts';
import type { Service } from '../composition/service.ts';

const sendUnavailable = (res: ServerResponse, requestId: string): void => {
  const reply = refusalReply(refuse('unavailable'));
  void sendReply(res, { ...reply, headers: { ...frameHeaders(requestId), ...reply.headers } });
};

/**
 * The listener of an app that `load` loads with the first request, so that no start waits for its code. Requests that
 * arrive meanwhile wait. If the app can't be loaded, they get 503, the fault is
 * logged, and the next request tries again. Code that was read and failed to run fails until the process is started
 * anew, because Node remembers it.
 */
export const lateListener = (
  load: () => Promise<RequestListener>,
  { fault }: Pick<HostOptions, 'fault'>,
): RequestListener => {
  const loading = late(load);
  let told: unknown;
  let loaded: RequestListener | undefined;
  const handleLater = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    try {
      loaded = await loading();
    } catch (error) {
      const id = requestIdOf(req.headers as HostHeaders);
      // All requests that waited for one attempt get its fault, which the log needs once.
      if (error !== told) fault(error, id);
      told = error;
      sendUnavailable(res, id);
      return;
    }
    // A client that went away meanwhile gets no answer.
    if (!res.destroyed) loaded(req, res);
  };
  return (req, res) => (loaded ? loaded(req, res) : void handleLater(req, res));
};

export type LateServing = {
  /** Answers the calls of the API and app hosts. */
  readonly calls: Service<CallParts>;
  /** Loads the service with every area, which the design host and the pages need. */
  readonly whole: () => Promise<Service>;
  /** Public addresses of the hosts, without a slash at the end. */
  readonly urls: Readonly<Record<Host, string>>;
  readonly options: Pick<HostOptions, 'log' | 'fault' | 'health'>;
  /** The request log of each host; `options.log` is that of all where it is absent. */
  readonly logOf?: ((host: ServedHost) => RequestLog) | undefined;
  /** Proxies that are trusted to name the client's address; none if empty. */
  readonly trustedProxies: readonly string[];
  readonly spool: SpoolFolder;
  /** The routes of signed URLs, where the object store does not serve them itself. */
  readonly signed: SignedRoutes;
};

const pathOf = (url: string | undefined): string => (url ?? '').split('?', 1)[0] as string;

/**
 * The listener of each host. The reference, the gallery and the account host's pages are Express apps; every other
 * request goes to a host without a framework. The apps and the design host load with their first requests, so that no
 * start waits for them.
 */
export const lateHostListeners = (serving: LateServing): Record<ServedHost, RequestListener> => {
  const { calls, whole, urls, options, logOf = () => options.log, trustedProxies, signed } = serving;
  const optionsOf = (host: ServedHost) => ({ ...options, log: logOf(host) });
  const addressOf = addressBehind(trustedProxies);
  const hostOf = (
    name: ServedHost,
    service: Service<CallParts>,
    beside: Parameters<typeof openHost>[1]['beside'] = [],
  ) => nodeListener(openHost(name, { ...serving, options: optionsOf(name), service, beside }), addressOf);
  const [api, app, legacy] = (['api', 'app', 'legacy'] as const).map((name) =>
    hostOf(name, calls, callRoutes(name, calls, signed)),
  ) as [RequestListener, RequestListener, RequestListener];
  const [accountHealth, designHealth] = [hostOf('account', calls), hostOf('design', calls)];
  const [reference, designReference, appReference] = DOCUMENTED.map((host) =>
    lateListener(async () => {
      const { referenceApp } = await import('../composition/reference-app.ts');
      return referenceApp(host, { ...optionsOf(host), urls, addressOf, limit: limitOf(calls) });
    }, options),
  ) as [RequestListener, RequestListener, RequestListener];
  const accountPages = lateListener(async () => {
    const { accountApp } = await import('../composition/account-app.ts');
    return accountApp({ service: await whole(), urls, options: optionsOf('account'), addressOf });
  }, options);
  const gallery = lateListener(async () => {
    const { designApp } = await import('../composition/design-app.ts');
    return designApp({ service: await whole(), urls, options: optionsOf('design'), addressOf });
  }, options);
  const design = lateListener(async () => {
    const service = await whole();
    return hostOf('design', service, routesBeside('design', service, signed));
  }, options);
  const designListenerOf = (path: string): RequestListener => {
    if (isHealth(path)) return designHealth;
    if (isReference('design', path)) return designReference;
    return isDesignPage(path) ? gallery : design;
  };
  return {
    api: (req, res) => (isReference('api', req.url ?? '') ? reference : api)(req, res),
    app: (req, res) => (isReference('app', req.url ?? '') ? appReference : app)(req, res),
    legacy,
    design: (req, res) => designListenerOf(pathOf(req.url))(req, res),
    account: (req, res) => (isHealth(pathOf(req.url)) ? accountHealth : accountPages)(req, res),
  };
};
