import type { EndpointSpec } from '../endpoint.ts';
import { GROUPS } from '../groups.ts';
import { REFUSALS } from '../refusals.ts';
import type { AreaDocumentation, EndpointDocumentation, OwnEndpoints } from './area-documentation.ts';
import { DOCUMENTATION } from './documentation.ts';
import { REFUSAL_DATA } from './refusal-data.ts';
import { TOOLS } from './tools.ts';

/** The documentation of every endpoint that a service has. */
export type WholeDocumentation = Required<AreaDocumentation>;

/** The names by which this package describes what it has. A refusal without data has no description, but a name. */
const NAMES = { endpoints: DOCUMENTATION, tools: TOOLS, groups: GROUPS, refusals: REFUSALS } as const;

type Kind = keyof typeof NAMES;

const isOurs = (kind: Kind, name: string): boolean => Object.hasOwn(NAMES[kind], name);

/** Own descriptions of what is a team's own. */
const besideOurs = <T>(kind: Kind, own: Readonly<Record<string, T>> = {}): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(own).filter(([name]) => !isOurs(kind, name)));

/** The documentation of this package's endpoints, followed by that of a team's own, which replaces none of it. */
export const withOwn = ({ documentation: own }: Pick<OwnEndpoints, 'documentation'>): WholeDocumentation => ({
  endpoints: { ...DOCUMENTATION, ...besideOurs('endpoints', own.endpoints) },
  tools: { ...TOOLS, ...besideOurs('tools', own.tools) },
  groups: { ...GROUPS, ...besideOurs('groups', own.groups) },
  refusals: { ...REFUSAL_DATA, ...besideOurs('refusals', own.refusals) },
});

const WORDS = { endpoints: 'endpoint', tools: 'tool', groups: 'group', refusals: 'refusal' } as const;

/** Errors of documentation that describes what this package has. */
export const overreachOf = ({ documentation: own }: Pick<OwnEndpoints, 'documentation'>): Error[] =>
  (Object.keys(NAMES) as Kind[]).flatMap((kind) =>
    Object.keys(own[kind] ?? {})
      .filter((name) => isOurs(kind, name))
      .map((name) => new Error(`An area’s documentation describes the ${WORDS[kind]} "${name}" of this package.`)),
  );

/** The documentation of this package's endpoints. */
export const OURS: WholeDocumentation = withOwn({ documentation: { endpoints: {} } });

/** The documentation of an endpoint. Throws where there is none. */
export const documentationOf = (
  { id }: Pick<EndpointSpec, 'id'>,
  { endpoints }: Pick<AreaDocumentation, 'endpoints'>,
): EndpointDocumentation => {
  const found = endpoints[id];
  if (!found) throw new Error(`The endpoint ${id} has no documentation; its area has to name it.`);
  return found;
};
