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

/** `anyOf` of a plain type and null as one list of types, which takes fewer of an agent's tokens. */
const folded = (schema: Json): Json => {
  const union = schema['anyOf'];
  if (!Array.isArray(union) || union.length !== 2 || !union.some(isNull)) return schema;
  const one = union.find((branch) => !isNull(branch)) as Json;
  if (typeof one['type'] !== 'string') return schema;
  const { anyOf: _anyOf, ...rest } = schema;
  return {
    ...one,
    ...rest,
    type: [one['type'], 'null'],
    ...(Array.isArray(one['enum']) && { enum: [...one['enum'], null] }),
  };
};

/** Keywords that tell an agent nothing: the bounds of JavaScript's integers, and the pattern of a named format. */
const isVoid = (name: string, value: unknown, schema: Json): boolean =>
  (name === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
  (name === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
  (name === 'pattern' && typeof schema['format'] === 'string') ||
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
  return folded(Object.fromEntries(kept.map(([name, one]) => [name, inner(name, one)])));
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

/** The JSON Schema of the values that a schema takes. */
export const inputSchema = (schema: z.ZodType): ObjectSchema => convert(schema, 'input');

/**
 * The JSON Schema of the values that a schema gives. Objects stay open, so that a later version of the service can add
 * a field.
 */
export const outputSchema = (schema: z.ZodType): ObjectSchema => convert(schema, 'output');
