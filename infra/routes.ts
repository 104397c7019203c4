import { allEndpoints } from '../ports/inbound/endpoints.ts';
import type { Host } from '../ports/inbound/hosts.ts';
import type { FunctionName } from './bundles/functions.ts';

/** A resource of an API Gateway REST API, and the function that answers every method on it. */
export type Route = { readonly path: string; readonly to: FunctionName };

/** The hosts that are deployed; each has a function of its own name. */
export const DEPLOYED = ['api', 'app'] as const satisfies readonly (Host & FunctionName)[];
export type DeployedHost = (typeof DEPLOYED)[number];

/** What an API is made for: a host, or the name under which the API host is reached with few headers. */
export type Served = DeployedHost | 'legacy';

/** Functions whose answers the gateway passes on as they come. */
export const STREAMING: readonly FunctionName[] = ['downloads'];

const REFERENCE: readonly Route[] = ['/openapi.json', '/docs', '/docs/{proxy+}'].map((path) => ({
  path,
  to: 'reference',
}));

/** What takes in slashes is greedy, as the gateway writes it. */
const resourcePath = (path: string): string => path.replace('{path}', '{path+}');

/** The resources above one, but for the root: a request for one that has no method would be refused by the gateway. */
const above = (path: string): string[] => {
  const parts = path.split('/').slice(1, -1);
  return parts.map((_, i) => `/${parts.slice(0, i + 1).join('/')}`);
};

/**
 * The resources of a host: one for each path of the endpoint table, and a greedy one for all that is left, so that
 * everything is answered by the application and looks the same. A function answers any method of its paths, because a
 * wrong one is 405 with `Allow`. The legacy host has those of the API host, but not what describes them.
 */
export const routesOf = (served: Served): readonly Route[] => {
  const host = served === 'legacy' ? 'api' : served;
  const routes = new Map<string, FunctionName>();
  for (const { host: of, path, output } of allEndpoints) {
    if (of === host) routes.set(resourcePath(path), output.kind === 'binary' ? 'downloads' : host);
  }
  for (const { path, to } of served === 'api' ? REFERENCE : []) routes.set(path, to);
  for (const path of [...routes.keys()].flatMap(above)) if (!routes.has(path)) routes.set(path, host);
  return [...routes.set('/', host).set('/{proxy+}', host)].map(([path, to]) => ({ path, to }));
};
