import * as z from 'zod';

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
class WithoutIds extends z.core.$ZodRegistry<Json> {
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
 * The schema without null. An agent leaves an argument out in place of sending null, and clients that map schemas onto
 * a dialect of one type for each field reject a list of types.
 */
const withoutNull = (schema: Json): Json => {
  const one = besideNull(schema);
  if (one) return one;
  const { type, enum: values } = schema;
  if (!Array.isArray(type) || type.length !== 2 || !type.includes('null')) return schema;
  const rest = Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {};
  return { ...schema, type: type.find((name) => name !== 'null'), ...rest };
};

const DESCRIPTION = new Set(['title', 'description']);

/** A list of types as a union of branches with one type each, for the same clients. */
const branched = (schema: Json): Json => {
  const { type, ...rest } = schema;
  if (!Array.isArray(type) || type.length !== 2 || !type.includes('null')) return schema;
  const entries = Object.entries(rest);
  const one = Object.fromEntries(entries.filter(([name]) => !DESCRIPTION.has(name)));
  return {
    ...Object.fromEntries(entries.filter(([name]) => DESCRIPTION.has(name))),
    anyOf: [{ type: type.find((name) => name !== 'null'), ...one }, { type: 'null' }],
  };
};

/**
 * Keywords that tell an agent nothing: the bounds of JavaScript's integers, the pattern of a named format, and names and
 * values that may be anything.
 */
const isVoid = (name: string, value: unknown, schema: Json): boolean =>
  (name === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
  (name === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
  (name === 'pattern' && typeof schema['format'] === 'string') ||
  name === 'propertyNames' ||
  (name === 'additionalProperties' && typeof value === 'object' && Object.keys(value ?? {}).length === 0) ||
  name === 'default';

/** Keywords whose value is an object of schemas by name. */
const BY_NAME = new Set(['properties', 'patternProperties']);

const tidy = (value: unknown, isAnswer: boolean): unknown => {
  if (Array.isArray(value)) return value.map((one) => tidy(one, isAnswer));
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Json;
  const closes = (name: string, inner: unknown): boolean =>
    isAnswer && name === 'additionalProperties' && inner === false;
  const kept = Object.entries(schema).filter(([name, inner]) => !isVoid(name, inner, schema) && !closes(name, inner));
  const inner = (name: string, one: unknown): unknown => {
    if (name === 'enum' || name === 'const') return one;
    if (!BY_NAME.has(name)) return tidy(one, isAnswer);
    return Object.fromEntries(
      Object.entries(one as Json).map(([field, schemaOf]) => [field, tidy(schemaOf, isAnswer)]),
    );
  };
  const tidied = Object.fromEntries(kept.map(([name, one]) => [name, inner(name, one)]));
  return isAnswer ? branched(tidied) : withoutNull(tidied);
};

/** The OpenAPI document's own form of a field (`override`) where it has one, because zod can't show a preprocessed type. */
const overridden: NonNullable<z.core.ToJSONSchemaParams['override']> = ({ zodSchema, jsonSchema }) => {
  const override = z.globalRegistry.get(zodSchema)?.['override'];
  if (typeof override !== 'object' || override === null) return;
  if ('type' in override) for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
  Object.assign(jsonSchema, override);
};

const convert = (schema: z.ZodType, io: 'input' | 'output'): ObjectSchema => {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, {
    io,
    metadata,
    unrepresentable: 'any',
    reused: 'inline',
    override: overridden,
  });
  const plain = tidy(json, io === 'output') as ObjectSchema;
  if (plain.type !== 'object') throw new Error('The schema of a tool must be an object.');
  return plain;
};

export const inputSchema = (schema: z.ZodType): ObjectSchema => convert(schema, 'input');

/**
 * The JSON Schema of the values that a schema gives. Objects stay open, so that a later version of the service can add
 * a field.
 */
export const outputSchema = (schema: z.ZodType): ObjectSchema => convert(schema, 'output');
