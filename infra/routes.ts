import type { EndpointSpec } from '../ports/inbound/endpoint.ts';
import { allEndpoints } from '../ports/inbound/endpoints.ts';
import type { Host } from '../ports/inbound/hosts.ts';
import type { FunctionName } from './bundles/functions.ts';

/** A resource of an API Gateway REST API, and the function that answers every method on it. */
export type Route = { readonly path: string; readonly to: FunctionName };

/**
 * The hosts that are always deployed; each has its own function name. The design host has no cookie and no metadata at
 * the root of its name, so agents can use its API and its MCP without its own name. Its pages link from the root,
 * where an API without a name has its stage: the function shows them only under a name.
 */
export const DEPLOYED = ['api', 'app', 'design'] as const satisfies readonly (Host & FunctionName)[];
export type DeployedHost = (typeof DEPLOYED)[number];

/**
 * The hosts that are deployed only with their own name. The account host is the issuer of tokens, whose metadata must
 * be at the root of its name (RFC 8414, section 3), where an API without a name has its stage. The legacy host forwards
 * few headers to the API host. The shop host is for the shop's own systems, and is optional.
 */
export const NAMED = ['account', 'legacy', 'shop'] as const;
export type NamedHost = (typeof NAMED)[number];

/** The hosts that may have an API. */
export const SERVED = [...DEPLOYED, ...NAMED] as const;
export type ServedHost = (typeof SERVED)[number];

/** Functions whose responses the gateway streams. */
export const STREAMING: readonly FunctionName[] = ['downloads', 'media'];

/** Functions that no request reaches: a queue or a schedule wakes them. */
export const BACKGROUND: readonly FunctionName[] = ['mail', 'replay'];

const DOCUMENT: Route = { path: '/openapi.json', to: 'reference' };

const REFERENCE: readonly Route[] = [
  DOCUMENT,
  ...['/docs', '/docs/{proxy+}'].map((path) => ({ path, to: DOCUMENT.to })),
];

const PROTECTED_RESOURCE = '/.well-known/oauth-protected-resource';

/** The metadata with which an MCP client finds the authorization server. */
const METADATA: readonly Route[] = [PROTECTED_RESOURCE, `${PROTECTED_RESOURCE}/api/mcp`].map((path) => ({
  path,
  to: 'mcp',
}));

/** The route of payment providers' events, which goes to the function that records sales. */
const WEBHOOKS: Route = { path: '/webhooks/{provider}', to: 'shop' };

/**
 * The files of the design host, which may exceed the size of a function's buffered response: images and saved pages.
 */
const MEDIA: readonly Route[] = ['/media/{file}', '/screens/{id}/page'].map((path) => ({ path, to: 'media' }));

/** The routes of a host in addition to its endpoints. */
const BESIDE: Readonly<Partial<Record<ServedHost, readonly Route[]>>> = {
  api: [...REFERENCE, ...METADATA, WEBHOOKS],
  app: [DOCUMENT],
  design: [DOCUMENT, ...MEDIA],
  shop: [DOCUMENT],
};

/**
 * The functions for endpoints of a host that do not answer with JSON: those with a protocol on top of HTTP, and those
 * that return files. An agent alternates between the design MCP and the design API, so one function for both starts
 * less often; it loads the protocol with the first message.
 */
const APART: Readonly<
  Record<DeployedHost | 'shop', { readonly protocol: FunctionName; readonly files: FunctionName }>
> = {
  api: { protocol: 'mcp', files: 'downloads' },
  app: { protocol: 'app', files: 'downloads' },
  design: { protocol: 'design', files: 'media' },
  shop: { protocol: 'shop', files: 'shop' },
};

/** The function for an endpoint of a deployed host. */
export const functionOf = ({ host, output, protocol }: EndpointSpec): FunctionName => {
  const deployed = host as DeployedHost | 'shop';
  if (protocol !== undefined) return APART[deployed].protocol;
  return output.kind === 'binary' ? APART[deployed].files : deployed;
};

/** The path in the gateway's notation, which marks a parameter that may contain slashes as greedy. */
const resourcePath = (path: string): string => path.replace('{path}', '{path+}');

/**
 * The resources above one, without the root. Each needs a method; otherwise the gateway itself refuses a request for
 * it.
 */
const above = (path: string): string[] => {
  const parts = path.split('/').slice(1, -1);
  return parts.map((_, i) => `/${parts.slice(0, i + 1).join('/')}`);
};

/**
 * The resources of a host: one for each path of another function, and a greedy one for all other paths, because a
 * resource for each endpoint would exceed the 500 resources that CloudFormation allows in a stack. So the application
 * answers every request in its own form. A function accepts every method on its paths, because the application answers
 * a wrong method with 405 and `Allow`. The legacy host has the API host's resources, except its reference and metadata.
 */
export const routesOf = (served: ServedHost): readonly Route[] => {
  const host = served === 'legacy' ? 'api' : served;
  const routes = new Map<string, FunctionName>();
  for (const endpoint of allEndpoints.filter((one) => one.host === host)) {
    const to = functionOf(endpoint);
    if (to !== host) routes.set(resourcePath(endpoint.path), to);
  }
  for (const { path, to } of BESIDE[served] ?? []) routes.set(path, to);
  for (const path of [...routes.keys()].flatMap(above)) if (!routes.has(path)) routes.set(path, host);
  return [...routes.set('/', host).set('/{proxy+}', host)].map(([path, to]) => ({ path, to }));
};
