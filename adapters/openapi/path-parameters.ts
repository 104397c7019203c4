import * as z from 'zod';
import type { EndpointSpec, PathParam } from '../../ports/inbound/endpoint.ts';
import type { EndpointId, Endpoints } from '../../ports/inbound/endpoints.ts';

type PathParameter = { readonly description: string; readonly example: string | number };

/** Every part of a path that a client fills in; the examples are there in the sample store (examples/store). */
const PATH_PARAMETERS: Readonly<Record<string, PathParameter>> = {
  product: { description: 'id of the product', example: 4 },
  id: { description: 'id of the product, which is an application', example: 3 },
  release: { description: 'id of the release, as the list of releases has it', example: 34 },
  order: { description: 'id of the order', example: 1 },
  slug: { description: 'short name of the lineage', example: 'release-notes' },
  path: { description: 'path of the asset; slashes in it are part of it', example: 'hero.svg' },
} satisfies Record<PathParam<Endpoints[EndpointId]['path']>, PathParameter>;

const schema = (name: string, examples: EndpointSpec['pathExamples']): z.ZodType => {
  const parameter = PATH_PARAMETERS[name];
  if (!parameter) throw new Error(`The document has nothing to say of the path parameter ${name}.`);
  const example = examples?.[name] ?? parameter.example;
  return (typeof example === 'number' ? z.int().min(1) : z.string()).meta({
    description: parameter.description,
    example,
  });
};

/** The parameters of an endpoint's path; undefined where it has none. */
export const pathParameters = ({ path, pathExamples }: EndpointSpec): z.ZodObject | undefined => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return names.length === 0
    ? undefined
    : z.object(Object.fromEntries(names.map((name) => [name, schema(name, pathExamples)])));
};
