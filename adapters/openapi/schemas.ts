type Json = Record<string, unknown>;

/** The parts of an OpenAPI document that contain schemas. */
type Document = {
  readonly paths?: unknown;
  readonly webhooks?: unknown;
  readonly components?: { readonly schemas?: Json };
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords that hold values instead of schemas. */
const VALUES = new Set(['example', 'examples', 'enum', 'const', 'default', 'x-access']);

const MOST_OF_32_BITS = 2 ** 31 - 1;

/**
 * A schema in a form that all client generators understand. An integer without a maximum below 2^31 is `int64`: our
 * ids, sizes and amounts are larger, and generators assume 32 bits without a format. The bounds of JavaScript's
 * integers are dropped, because some generators can't read them. A date-time has no pattern in addition to its format.
 * Objects stay open, because a later version of the service may add a field.
 */
const settled = (schema: Json): Json => {
  const { type, maximum, minimum, additionalProperties, pattern, ...rest } = schema;
  const isWhole = type === 'integer';
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  return {
    ...(type !== undefined && { type }),
    ...(isWhole && !(Number(most) <= MOST_OF_32_BITS) && { format: 'int64' }),
    ...rest,
    ...(minimum !== undefined && !(isWhole && minimum === Number.MIN_SAFE_INTEGER) && { minimum }),
    ...(most !== undefined && { maximum: most }),
    ...(pattern !== undefined && rest['format'] !== 'date-time' && { pattern }),
    ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
  };
};

const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/**
 * The document with its schemas normalized and its inner objects moved to components: generators name a client's types
 * after components, and number the others.
 */
export const withNamedSchemas = <D extends Document>(document: D): D => {
  const schemas: Json = {};

  /** Adds a component with this name, or with the next free name if another schema has it. */
  const named = (name: string, schema: Json): Json => {
    const text = JSON.stringify(schema);
    for (let n = 1; ; n++) {
      const own = n === 1 ? name : `${name}${n}`;
      if (!(own in schemas)) schemas[own] = schema;
      if (JSON.stringify(schemas[own]) === text) return { $ref: `#/components/schemas/${own}` };
    }
  };

  /** The schema with its inner objects as components; `name` is the name of a component in its place. */
  const inner = (schema: unknown, name: string): unknown => {
    if (!isObject(schema)) return schema;
    const { description, ...form } = formed(schema, name);
    if (form['type'] !== 'object' || !isObject(form['properties']))
      return { ...form, ...(description !== undefined && { description }) };
    const ref = named(name, form);
    return description === undefined ? ref : { ...ref, description };
  };

  /** The schema with its members normalized; the object itself stays in place. */
  const formed = (schema: Json, name: string): Json => {
    const members = Object.entries(settled(schema)).map(([key, one]) => {
      if (key === 'properties' && isObject(one))
        return [
          key,
          Object.fromEntries(Object.entries(one).map(([field, of]) => [field, inner(of, name + pascal(field))])),
        ];
      if (key === 'items' || key === 'additionalProperties') return [key, inner(one, `${name}Item`)];
      if ((key === 'anyOf' || key === 'oneOf' || key === 'allOf') && Array.isArray(one)) {
        const isUnion = one.filter((branch) => isObject(branch) && branch['type'] !== 'null').length > 1;
        return [key, one.map((branch, n) => inner(branch, isUnion ? `${name}${n + 1}` : name))];
      }
      return [key, one];
    });
    return Object.fromEntries(members);
  };

  const bare = (name: string): string => name.replace(/(?:Data|Output)$/, '');

  /** A part of the document that is not a schema; `name` comes from the operation. */
  const part = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => part(one, name));
    if (!isObject(value)) return value;
    const own = typeof value['operationId'] === 'string' ? pascal(value['operationId']) : name;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        if (VALUES.has(key)) return [key, one];
        if (key === 'schema') return [key, inner(one, own)];
        return [key, part(one, key === 'requestBody' ? `${own}Body` : key === 'responses' ? `${own}Answer` : own)];
      }),
    );
  };

  for (const name of Object.keys(document.components?.schemas ?? {})) schemas[name] = undefined;
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
    schemas[name] = formed(schema as Json, bare(name));
  const [paths, webhooks] = [part(document.paths, ''), part(document.webhooks, '')];
  return {
    ...document,
    paths,
    ...(webhooks !== undefined && { webhooks }),
    components: { ...document.components, schemas },
  };
};
