import * as z from 'zod';
import { $ZodRegistry } from 'zod/v4/core';

/** A JSON Schema (2020-12) without references, whose root is an object. */
export type ObjectSchema = {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
};

type Json = Record<string, unknown>;

/**
 * The metadata of the schemas without their ids. zod moves a schema with an id to `$defs` and refers to it, and MCP
 * clients reject a schema whose root is a reference.
 */
class WithoutIds extends $ZodRegistry<Json> {
  override get<S extends z.core.$ZodType>(schema: S): z.core.$replace<Json, S> | undefined {
    const meta = z.globalRegistry.get(schema);
    if (meta === undefined) return undefined;
    const { id: _id, override: _override, ...rest } = meta;
    return rest as z.core.$replace<Json, S>;
  }
}

const metadata = new WithoutIds();

const isNull = (schema: unknown): boolean => (schema as Json)['type'] === 'null';

/** The one branch of a union with null; undefined for any other schema. */
const besideNull = ({ anyOf, ...rest }: Json): Json | undefined => {
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !anyOf.some(isNull)) return undefined;
  return { ...(anyOf.find((branch) => !isNull(branch)) as Json), ...rest };
};

/**
 * The schema without null. An agent omits an argument instead of sending null, and some clients reject a list of types
 * because their dialect allows one type for each field.
 */
const withoutNull = (schema: Json): Json => {
  const one = besideNull(schema);
  if (one) return one;
  const { type, enum: values } = schema;
  if (!Array.isArray(type) || type.length !== 2 || !type.includes('null')) return schema;
  const rest = Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {};
  return { ...schema, type: type.find((name) => name !== 'null'), ...rest };
};

/**
 * True for keywords without information for an agent: the integer bounds of JavaScript, a minimum of 1, the pattern of
 * a named format, and names or values without a restriction.
 */
const isVoid = (name: string, value: unknown, schema: Json): boolean =>
  (name === 'minimum' && (value === Number.MIN_SAFE_INTEGER || value === 1)) ||
  (name === 'minLength' && Number(value) <= 1) ||
  (name === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
  (name === 'pattern' && (typeof schema['format'] === 'string' || value === '\\S')) ||
  name === 'propertyNames' ||
  (name === 'additionalProperties' && typeof value === 'object' && Object.keys(value ?? {}).length === 0) ||
  name === 'default';

/** Keywords whose value maps names to schemas. */
const BY_NAME = new Set(['properties', 'patternProperties']);

const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Json;
  const inner = (name: string, one: unknown): unknown => {
    if (name === 'enum' || name === 'const') return one;
    if (!BY_NAME.has(name)) return tidy(one);
    return Object.fromEntries(Object.entries(one as Json).map(([field, schemaOf]) => [field, tidy(schemaOf)]));
  };
  const members = Object.entries(schema).filter(([name, one]) => !isVoid(name, one, schema));
  return withoutNull(Object.fromEntries(members.map(([name, one]) => [name, inner(name, one)])));
};

/**
 * Uses the field's `override` from the OpenAPI document, if it has one, because zod can't describe a preprocessed type.
 */
const overridden: NonNullable<z.core.ToJSONSchemaParams['override']> = ({ zodSchema, jsonSchema }) => {
  const override = z.globalRegistry.get(zodSchema)?.['override'];
  if (typeof override !== 'object' || override === null) return;
  if ('type' in override) for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
  Object.assign(jsonSchema, override);
};

const convert = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, {
    io,
    metadata,
    unrepresentable: 'any',
    reused: 'inline',
    override: overridden,
  });
  if (json.type !== 'object') throw new Error('The schema of a tool must be an object.');
  return json;
};

export const inputSchema = (schema: z.ZodType): ObjectSchema => tidy(convert(schema, 'input')) as ObjectSchema;

/** The maximum number of names in the description of a field. */
const NAMES = 6;

/** The values that an enum allows, or the names of an object's fields. */
const namesIn = ({ enum: values, properties, items }: Json): string | undefined => {
  if (values === undefined && properties === undefined) return items === undefined ? undefined : namesIn(items as Json);
  const names = Array.isArray(values) ? values : Object.keys(properties as Json);
  return [...names.slice(0, NAMES), ...(names.length > NAMES ? ['…'] : [])].join(', ');
};

const MAX_CLAUSE = 45;

/** The first clause of a description, if it is short. */
const clause = (description: unknown): string | undefined => {
  const [first = ''] = String(description ?? '').split(/[.;:] /);
  return first.length > 0 && first.length <= MAX_CLAUSE ? first : undefined;
};

/** One field of an answer: its type, and a short description of its content. */
const brief = (schema: Json): object => {
  const one = withoutNull(schema);
  const { type = 'object' } = one;
  const description = clause(one['description']) ?? namesIn(one);
  return {
    ...(one === schema ? { type } : { anyOf: [{ type }, { type: 'null' }] }),
    ...(description !== undefined && { description }),
  };
};

/**
 * The fields of an answer with short descriptions. It stays brief, because the list of tools takes up each agent's
 * context, and the agent sees the whole answer once it calls a tool. Objects stay open and enums unlisted, so that a
 * later version of the service can extend them.
 */
export const outputSchema = (schema: z.ZodType): ObjectSchema => {
  const { properties = {} } = convert(schema, 'output');
  const members = Object.entries(properties as Json).map(([name, one]) => [name, brief(one as Json)]);
  return { type: 'object', properties: Object.fromEntries(members) };
};
