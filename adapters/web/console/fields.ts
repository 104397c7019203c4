import * as z from 'zod';
import { minorDigits } from '../../../domain/billing/money.ts';
import type { EndpointSpec } from '../../../ports/inbound/endpoint.ts';
import type { Form } from '../account/form.ts';

/** The body of a call from the fields of a form. */
export type Fields = Readonly<Record<string, unknown>> & { readonly [MADE]?: never };
declare const MADE: unique symbol;

type Schema = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

const schemas = new WeakMap<object, Schema>();

const convert = (body: z.ZodObject): Schema =>
  z.toJSONSchema(body, {
    io: 'input',
    // Without the ids of components, which would become references.
    metadata: z.registry(),
    reused: 'inline',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => Object.assign(jsonSchema, z.globalRegistry.get(zodSchema)?.['override']),
  }) as Schema;

const schemaOf = (body: z.ZodObject): Schema => {
  const schema = schemas.get(body) ?? convert(body);
  schemas.set(body, schema);
  return schema;
};

/** The schema of a value that is not null, with one type. */
const beside = (schema: Schema): Schema & { readonly type?: string } => {
  const one = schema.anyOf?.find(({ type }) => type !== 'null');
  if (one) return beside(one);
  return { ...schema, type: [schema.type ?? []].flat().find((type) => type !== 'null') } as Schema & { type?: string };
};

/** An amount as typed, such as `12.50`, in minor units; any other text unchanged, for the endpoint to refuse. */
const minorUnits = (text: string, currency: string): number | string => {
  const digits = minorDigits(currency);
  const [, whole, fraction = ''] = /^(\d{1,13})(?:[.,](\d{1,4}))?$/.exec(text.replaceAll(/\s/g, '')) ?? [];
  if (whole === undefined || fraction.length > digits) return text;
  return Number(whole + fraction.padEnd(digits, '0'));
};

const typed = (text: string, { type }: Schema): unknown => {
  if (text === '') return null;
  if (type === 'boolean') return text === 'true';
  return (type === 'integer' || type === 'number') && /^-?\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : text;
};

/** The names of a form's fields: an object's fields follow its name and a dot, such as `name.en`. */
const read = (form: Form, name: string, given: Schema): unknown => {
  const schema = beside(given);
  if (schema.type === 'array') {
    const { items = {} } = schema;
    if (items.properties) {
      const rows: object[] = [];
      for (let row: object | undefined; (row = readAll(form, `${name}.${rows.length}.`, items.properties)); )
        rows.push(row);
      return rows.length === 0 ? undefined : rows;
    }
    return form.has(name)
      ? form.all(name).flatMap((text) => (text === '' ? [] : [typed(text, beside(items))]))
      : undefined;
  }
  if (schema.properties) return readAll(form, `${name}.`, schema.properties);
  if (!form.has(name)) return undefined;
  // A box that is not ticked sends nothing, so a hidden field before it has the value for that.
  const text = form.all(name).at(-1) ?? '';
  const currency = form.text(`${name}:currency`);
  if (currency !== '' && text !== '') return minorUnits(text, currency);
  return typed(text, schema);
};

const readAll = (form: Form, prefix: string, properties: Readonly<Record<string, Schema>>): object | undefined => {
  const values = Object.entries(properties).flatMap(([name, schema]) => {
    const value = read(form, prefix + name, schema);
    return value === undefined ? [] : [[name, value] as const];
  });
  return values.length === 0 ? undefined : Object.fromEntries(values);
};

/**
 * The body of a call from a form whose fields have the names of the endpoint's: numbers and truth values by its schema,
 * null for what is empty, and nothing for what the form does not have.
 */
export const fieldsOf = (form: Form, { body }: Pick<EndpointSpec, 'body'>): Fields =>
  ((body && readAll(form, '', schemaOf(body()).properties ?? {})) as Fields) ?? {};
