import { overlap } from '../../adapters/host/overlap.ts';
import { Routes } from '../../adapters/host/routes.ts';
import { type EndpointSpec, isToolName } from '../../ports/inbound/endpoint.ts';
import type { Area } from './area.ts';

/** Literal text of RFC 3986 without percent signs, and parameters, between single slashes. */
const PATH = /^(?:\/(?:[\w.~-]|\{\w+\})+)+$/;

/** The account MCP, whose route is no endpoint of an area. */
const MCP = /^\/api\/mcp(?:\/|$)/;

/** Throws where an area names an endpoint by another name than its id, by which requests find the handler. */
const checkTable = ({ endpoints = {} }: Area): void => {
  for (const [name, { id }] of Object.entries(endpoints)) {
    if (name === id) continue;
    throw new Error(`The endpoint "${name}" has the id "${id}"; an endpoint has its id as its name in the area.`);
  }
};

/** Throws where a name that tells endpoints apart stands for two of them. */
const checkNames = (all: readonly EndpointSpec[], what: string, nameOf: (one: EndpointSpec) => string | undefined) => {
  const seen = new Set<string>();
  for (const name of all.map(nameOf)) {
    if (name === undefined) continue;
    if (seen.has(name)) throw new Error(`Two endpoints have the ${what} "${name}"; give the one of your own another.`);
    seen.add(name);
  }
};

/** Throws where an endpoint can't be what it says, whatever else is served. */
const checkAlone = ({ id, host, path, protocol, tool }: EndpointSpec): void => {
  if (host === 'account' || !path.startsWith('/api/')) {
    throw new Error(`The endpoint ${id} is never asked: put it under /api/ of the host api, app or design.`);
  }
  if (!PATH.test(path)) {
    throw new Error(`The endpoint ${id} is never asked: a path has letters, digits, "-", ".", "_", "~" and {names}.`);
  }
  if (host === 'api' && MCP.test(path)) {
    throw new Error(`The endpoint ${id} is in the way of the account MCP: put it outside of /api/mcp.`);
  }
  if (protocol !== undefined) {
    throw new Error(`The endpoint ${id} can't have the protocol ${protocol}: a route of this package speaks it.`);
  }
  if (tool !== undefined && !isToolName(tool.name)) {
    throw new Error(`"${tool.name}" can't name the tool of ${id}; it has 1 to 40 characters of a-z, 0-9 and _.`);
  }
};

const pathOf = (path: string): string => path.replace(/\{\w+\}/g, '1');

/** Throws where an endpoint would get no request, because another one answers its path. */
const checkReach = (all: readonly EndpointSpec[], own: EndpointSpec): void => {
  const { id, method, path } = own;
  const routes = new Routes(all.map((one) => ({ ...one, entry: one })));
  if (routes.find(pathOf(path))?.entries.get(method) === own) return;
  throw new Error(`The endpoint ${id} is never asked: another one answers ${path}; give it a path of its own.`);
};

/** Throws where a method of a path has two endpoints: requests and the OpenAPI document have one place for both. */
const checkPlaces = (all: readonly EndpointSpec[], own: EndpointSpec): void => {
  const { id, method, path } = own;
  const other = all.find((one) => one !== own && one.method === method && one.path === path);
  if (other === undefined) return;
  throw new Error(
    `The endpoint ${id} has the method and path of ${other.id}, ${method} ${path}; give it another path.`,
  );
};

const shapeOf = (path: string): string => path.replace(/\{\w+\}/g, '{}');

/**
 * Throws where a request for an endpoint of this package could reach one of a team's own. Two methods of the same path
 * are apart; a path that is the other's but for the names of its parameters has no place of its own in the document.
 */
const checkApart = (ours: readonly EndpointSpec[], { id, host, path }: EndpointSpec): void => {
  const met = ours.find(
    (one) => one.path !== path && (one.host === host ? overlap(one.path, path) : shapeOf(one.path) === shapeOf(path)),
  );
  if (met === undefined) return;
  throw new Error(`The endpoint ${id} is in the way of ${met.id}: ${path} and ${met.path} fit the same request.`);
};

/** Throws where endpoints of a team's own would answer in the place of others, or get no request. */
export const checkOwn = (areas: readonly Area[], isOwn: (area: Area) => boolean): void => {
  const endpointsOf = (some: readonly Area[]) => some.flatMap(({ endpoints = {} }) => Object.values(endpoints));
  const own = areas.filter(isOwn);
  for (const area of own) checkTable(area);
  const all = endpointsOf(areas);
  checkNames(all, 'id', ({ id }) => id);
  checkNames(all, 'tool', ({ tool }) => tool?.name);
  const ours = endpointsOf(areas.filter((area) => !isOwn(area)));
  for (const one of endpointsOf(own)) {
    checkAlone(one);
    checkPlaces(all, one);
    const { host } = one;
    checkReach(
      all.filter((other) => other.host === host),
      one,
    );
    checkApart(ours, one);
  }
};
