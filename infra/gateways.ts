import type { FunctionName } from './bundles/functions.ts';
import type { GatewayKind } from './options/gateway.ts';
import { type Route, routesOf, type Served } from './routes.ts';

/** A REST API: its resources, and the path of the host's name that it is mapped to; the root where it is undefined. */
export type RestRoutes = {
  readonly kind: 'rest';
  readonly under: string | undefined;
  readonly routes: readonly Route[];
};

/** An HTTP API: the paths that have a function of their own, and the function that answers all others. */
export type HttpRoutes = { readonly kind: 'http'; readonly routes: readonly Route[]; readonly others: FunctionName };

/**
 * The hosts that an HTTP API serves with `-c gateway=http`, and the path under which their REST API streams. The app
 * host streams nothing. The others stay on REST APIs: the account host and the design host, because a WAF can't protect
 * an HTTP API, and the legacy host, because few clients are left that call it.
 */
const STREAMS = { api: 'api/products', app: undefined } as const;

const hasHttpApi = (host: Served): host is keyof typeof STREAMS => host in STREAMS;

const isUnder = (under: string, path: string): boolean => path === `/${under}` || path.startsWith(`/${under}/`);

/** The routes under a path, without it: API Gateway takes the path of a mapping away before it looks for a resource. */
const stripped = (routes: readonly Route[], under: string): Route[] =>
  routes
    .filter(({ path }) => isUnder(under, path))
    .map(({ path, to }) => ({ path: path.slice(under.length + 1) || '/', to }));

/**
 * The gateways of a host. With two of them, the REST API takes a whole path, JSON included, because a mapping names a
 * path and no pattern.
 */
export const gatewaysOf = (host: Served, kind: GatewayKind): readonly (RestRoutes | HttpRoutes)[] => {
  const routes = routesOf(host);
  if (kind === 'rest' || !hasHttpApi(host)) return [{ kind: 'rest', under: undefined, routes }];
  const under = STREAMS[host];
  const apart = routes.filter(({ path, to }) => to !== host && (under === undefined || !isUnder(under, path)));
  const json: HttpRoutes = { kind: 'http', routes: apart, others: host };
  if (under === undefined) return [json];
  return [json, { kind: 'rest', under, routes: [...stripped(routes, under), { path: '/{proxy+}', to: host }] }];
};
