import { type EndpointSpec, pathParams, takesName } from '../../ports/inbound/endpoint.ts';
import { inputSchema, type ObjectSchema } from './json-schema.ts';

/** The part of a request that an argument goes to. */
type Place = 'params' | 'query' | 'body' | 'language' | 'idempotency';

/** The arguments of a tool by their places in the request. */
export type Placed = {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly language: unknown;
  readonly idempotencyKey: unknown;
};

/** The one flat object of a tool's arguments. */
export type ToolInput = {
  readonly schema: ObjectSchema;
  /** The names of arguments that the tool does not have. */
  readonly unknown: (args: Readonly<Record<string, unknown>>) => string[];
  readonly place: (args: Readonly<Record<string, unknown>>) => Placed;
  /** The argument that fills a field of the request, such as `query_version` for a `version` of the query. */
  readonly nameOf: (field: string) => string;
};

type Field = { readonly place: Place; readonly field: string; readonly schema: object; readonly required: boolean };

const LANGUAGE = { type: 'string', enum: ['ko', 'en'], description: 'Language of the texts in the answer.' };
const idempotencyKey = ({ named }: EndpointSpec) => ({
  type: 'string',
  maxLength: 255,
  description: named
    ? 'A name for this call. Repeating the call within 24 hours returns new values for unused keys.'
    : 'A name for this call. Repeating it within 24 hours returns the first answer.',
});

const fieldsOf = (place: Place, schema: ObjectSchema | undefined): Field[] =>
  Object.entries(schema?.properties ?? {}).map(([field, one]) => ({
    place,
    field,
    schema: one,
    // A parameter of a path is always needed, whatever its schema accepts.
    required: place === 'params' || schema?.required?.includes(field) === true,
  }));

const own = (place: Place, field: string, schema: object): Field => ({ place, field, schema, required: false });

/**
 * Every field of the request, by the name of its argument. Of two with one name, the later is named after its place.
 */
const argumentsOf = (fields: readonly Field[]): Map<string, Field> => {
  const named = new Map<string, Field>();
  for (const field of fields) named.set(named.has(field.field) ? `${field.place}_${field.field}` : field.field, field);
  return named;
};

/** The flat input of an endpoint's tool: path parameters, query and body together, and files left out. */
export const toolInput = (endpoint: EndpointSpec): ToolInput => {
  const { path, params, query, body, localized } = endpoint;
  const declared = [
    ...fieldsOf('params', params && inputSchema(params)),
    ...fieldsOf('query', query && inputSchema(query)),
    ...fieldsOf('body', body && inputSchema(body)),
    ...(localized ? [own('language', 'language', LANGUAGE)] : []),
    ...(takesName(endpoint) ? [own('idempotency', 'idempotency_key', idempotencyKey(endpoint))] : []),
  ];
  const named = argumentsOf(declared);
  const missing = pathParams(path).filter((name) => !declared.some((one) => one.field === name));
  if (missing.length > 0) throw new Error(`The parameters ${missing.join(', ')} of ${path} have no schema.`);
  const required = [...named].filter(([, field]) => field.required).map(([name]) => name);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries([...named].map(([name, { schema }]) => [name, schema])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    unknown: (args) => Object.keys(args).filter((name) => !named.has(name)),
    place: (args) => placed(named, args),
    nameOf: (field) => [...named].find(([, one]) => one.field === field)?.[0] ?? field,
  };
};

const placed = (named: ReadonlyMap<string, Field>, args: Readonly<Record<string, unknown>>): Placed => {
  const values: Record<Place, Record<string, unknown>> = {
    params: {},
    query: {},
    body: {},
    language: {},
    idempotency: {},
  };
  for (const [name, { place, field }] of named) {
    if (Object.hasOwn(args, name)) values[place][field] = args[name];
  }
  const { params, query, body, language, idempotency } = values;
  return { params, query, body, language: language['language'], idempotencyKey: idempotency['idempotency_key'] };
};
