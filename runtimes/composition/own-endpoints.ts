import type { AnyHandler, AnyHandlers } from '../../adapters/pipeline/handler.ts';
import type { AreaDocumentation, OwnEndpoints } from '../../ports/inbound/documentation/area-documentation.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { Area } from './area.ts';
import { isOurs } from './our-area.ts';
import { checkOwn } from './own-checks.ts';

/** Loads the documentation of the endpoints that are not this package's. */
export type LoadOwnEndpoints = () => Promise<OwnEndpoints>;

const endpointsOf = (areas: readonly Area[]): EndpointSpec[] =>
  areas.flatMap(({ endpoints = {} }) => Object.values(endpoints));

/** True for an area with endpoints or handlers that are not this package's. */
const isOwn = (area: Area): boolean => (area.endpoints !== undefined || area.handlers !== undefined) && !isOurs(area);

/** The documentation of several areas as that of one. */
const merged = (all: readonly AreaDocumentation[]): AreaDocumentation => ({
  endpoints: Object.assign({}, ...all.map(({ endpoints }) => endpoints)),
  tools: Object.assign({}, ...all.map(({ tools }) => tools)),
  groups: Object.assign({}, ...all.map(({ groups }) => groups)),
  refusals: Object.assign({}, ...all.map(({ refusals }) => refusals)),
});

type Loaded = { readonly area: Area; readonly documentation: AreaDocumentation };

const loaded = async (area: Area): Promise<Loaded | Error> => {
  try {
    return { area, documentation: (await area.documentation?.()) ?? { endpoints: {} } };
  } catch (cause) {
    return new Error(`An area’s documentation can’t be loaded.`, { cause });
  }
};

/**
 * The endpoints that are not this package's, with their documentation. An area whose documentation can't be loaded is
 * left out, and its error is among the faults.
 */
export const loadOwnEndpoints = async (areas: readonly Area[]): Promise<OwnEndpoints> => {
  const all = await Promise.all(areas.filter(isOwn).map(loaded));
  const known = all.filter((one) => !(one instanceof Error)) as Loaded[];
  return {
    endpoints: endpointsOf(known.map(({ area }) => area)),
    documentation: merged(known.map(({ documentation }) => documentation)),
    faults: all.filter((one) => one instanceof Error),
  };
};

/**
 * The endpoints of the areas. Throws where one of a team's own would answer in the place of another, or get no request.
 */
export const servedEndpoints = (areas: readonly Area[]): readonly EndpointSpec[] => {
  if (areas.some(isOwn)) checkOwn(areas, isOwn);
  return endpointsOf(areas);
};

/** Throws where an area with endpoints has a handler beside theirs, which would answer those of another area. */
const checkHandlers = ({ endpoints = {} }: Area, handlers: object): void => {
  const stray = Object.keys(handlers).find((name) => !Object.hasOwn(endpoints, name));
  if (stray === undefined) return;
  throw new Error(`An area has a handler "${stray}" without an endpoint of this name; an area answers its own alone.`);
};

/** The handlers of the areas. Throws where one of a team's own would answer the endpoint of another area. */
export const handlersOf = (areas: readonly Area[], parts: object): AnyHandlers => {
  const all: Record<string, AnyHandler> = {};
  for (const area of areas) {
    const handlers = area.handlers?.(parts as never) ?? {};
    if (isOwn(area) && area.endpoints !== undefined) checkHandlers(area, handlers);
    const twice = Object.keys(handlers).find((name) => Object.hasOwn(all, name));
    if (twice !== undefined)
      throw new Error(`Two areas have a handler "${twice}"; give the one of your own another name.`);
    Object.assign(all, handlers);
  }
  return all;
};
