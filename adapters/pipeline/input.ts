import type * as z from 'zod';
import type { ReceivedFile } from '../../application/shared/files.ts';
import type { Owner } from '../../domain/access/rate-limit.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { type EndpointSpec, takesName } from '../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';

/** Error messages by dotted field, in the form of Laravel, which clients of this API know. */
export type FieldErrors = Record<string, string[]>;

type Issue = z.core.$ZodIssue;

const at = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | null | undefined)?.[part], input);

/** zod's types in words. The API accepts only integers, but zod says `number` for a value that is not a number. */
const KINDS: Readonly<Record<string, string>> = {
  int: 'an integer',
  number: 'an integer',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** The nouns of counted items, by zod's origin of the value. */
const COUNTED: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

const size = (origin: string, bound: number | bigint): string => {
  const noun = COUNTED[origin];
  return noun === undefined ? String(bound) : countOf(Number(bound), noun);
};

/** True if the value counts as absent: undefined, null, or an empty string instead of another type. */
const isMissing = (issue: Issue, value: unknown): boolean =>
  value === undefined || (issue.code === 'invalid_type' && (value === null || value === ''));

const sentence = (issue: Issue, name: string, value: unknown): string => {
  if (isMissing(issue, value)) return `The ${name} field is required.`;
  switch (issue.code) {
    case 'invalid_type':
      return `The ${name} field must be ${KINDS[issue.expected] ?? issue.expected}.`;
    case 'too_small':
      return issue.origin !== 'number' && issue.minimum === 1
        ? `The ${name} field must not be empty.`
        : `The ${name} field must be at least ${size(issue.origin, issue.minimum)}.`;
    case 'too_big':
      return `The ${name} field must not be greater than ${size(issue.origin, issue.maximum)}.`;
    case 'invalid_value':
      return `The ${name} field must be one of ${issue.values.filter((one) => one !== null).join(', ')}.`;
    case 'invalid_format':
      return issue.format === 'datetime'
        ? `The ${name} field must be a date and time such as 2026-11-21T08:00:00Z.`
        : customOr(issue, name, `The ${name} field has an invalid format.`);
    default:
      return customOr(issue, name, `The ${name} field is invalid.`);
  }
};

/** The schema's own message, whole or from its verb on; `otherwise` if it has only zod's. */
const customOr = ({ message }: Issue, name: string, otherwise: string): string => {
  if (message.startsWith('must ')) return `The ${name} field ${message}`;
  return message.startsWith('The ') ? message : otherwise;
};

/** The errors of an input, one sentence each, by dotted path (`days.3.usage_date`). */
export const fieldErrors = (issues: readonly Issue[], input: unknown): FieldErrors => {
  const errors: FieldErrors = {};
  for (const issue of issues) {
    const field = issue.path.map(String).join('.') || 'body';
    const name = field.replaceAll('_', ' ');
    (errors[field] ??= []).push(sentence(issue, name, at(input, issue.path)));
  }
  return errors;
};

/** The errors of repeated query parameters with different values. `fields` are the known parameters. */
export const repeatFaults = (query: Readonly<Record<string, unknown>>, fields: readonly string[]): FieldErrors =>
  Object.fromEntries(
    fields
      .filter((field) => Array.isArray(query[field]))
      .map((field) => [
        field,
        [`The ${field.replaceAll('_', ' ')} field was sent more than once with different values; send it once.`],
      ]),
  );

/** The first sentence, and the number of further ones. */
export const summary = (errors: FieldErrors): string => {
  const [first = 'The given data was invalid.', ...more] = Object.values(errors).flat();
  return more.length === 0 ? first : `${first} (and ${countOf(more.length, 'more error')})`;
};

/** A body after reading: JSON or the fields of a form, and the form's files by part name. */
export type ReadBody = {
  readonly fields: unknown;
  readonly files: Readonly<Record<string, ReceivedFile | null>>;
};

/** The body of a request. It is read at most once, and never for a request that was already refused. */
export type BodyOnDemand = {
  /** True if reading is so costly that the rate limit must permit the request first. */
  readonly isCostly: boolean;
  readonly read: (owner: Owner) => Promise<Outcome<ReadBody, RefusalCode>>;
};

const NO_FILES = {};

/** A body that is already parsed, such as the arguments of an MCP call. */
export const bodyAtHand = (fields: unknown, files: ReadBody['files'] = NO_FILES): BodyOnDemand => ({
  isCostly: false,
  read: async () => ok({ fields, files }),
});

export type RawInput = {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: BodyOnDemand;
  /** The caller's language. It applies only to a localized endpoint. */
  readonly locale: Locale;
  /** The idempotency key. The service handles requests with the same key once. */
  readonly idempotencyKey?: string | undefined;
};

export type ValidInput = {
  readonly query: unknown;
  readonly body: unknown;
  readonly files: Readonly<Record<string, ReceivedFile | null>>;
};

/** Stands for a query parameter whose bytes are not UTF-8: a lone surrogate, which UTF-8 cannot encode. */
export const NOT_UTF8 = '\ud800';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

const keyErrors = (endpoint: EndpointSpec, key: string | undefined): FieldErrors | undefined =>
  key === undefined || !takesName(endpoint) || IDEMPOTENCY_KEY.test(key)
    ? undefined
    : { 'Idempotency-Key': ['The Idempotency-Key header must be 1 to 255 visible ASCII characters.'] };

/** The errors of one file: sent as text, or required and missing. */
const fileErrors = (part: string, required: boolean, { fields, files }: ReadBody): FieldErrors => {
  if (files[part]) return {};
  const name = part.replaceAll('_', ' ');
  const sent = Object.entries(fields ?? {}).find(([field]) => field === part)?.[1] ?? '';
  if (sent !== '') return { [part]: [`The ${name} field must be a file; send it as multipart/form-data.`] };
  return required ? { [part]: [`The ${name} field is required; send it as a file in multipart/form-data.`] } : {};
};

const filesErrors = ({ files }: EndpointSpec, body: ReadBody): FieldErrors | undefined =>
  files && Object.assign({}, ...Object.entries(files).map(([part, { required }]) => fileErrors(part, required, body)));

/** Every declared file; null if it was not uploaded. */
const allFiles = ({ files }: EndpointSpec, received: ReadBody['files']): ValidInput['files'] =>
  files === undefined ? NO_FILES : Object.fromEntries(Object.keys(files).map((part) => [part, received[part] ?? null]));

const NO_BODY: ReadBody = { fields: null, files: NO_FILES };

/** The parameters of the path, and the errors of missing ones. */
export type ReadParams = { readonly values: Readonly<Record<string, unknown>>; readonly errors: FieldErrors | null };

const NO_PARAMS: ReadParams = { values: {}, errors: null };

/**
 * The parameters of the path as the endpoint declares them. An impossible value becomes null. Only a call by arguments
 * can lack a parameter: a path without it matches another route.
 */
export const paramsOf = ({ params }: EndpointSpec, raw: RawInput): ReadParams => {
  if (params === undefined) return NO_PARAMS;
  const { data, error } = params().safeParse(raw.params);
  return error ? { values: {}, errors: fieldErrors(error.issues, raw.params) } : { values: data, errors: null };
};

const notUtf8 = (field: string): string =>
  `The query parameter ${field} is not valid UTF-8; send its text in UTF-8, percent-encoded.`;

/** The input as the endpoint declares it, or a refusal that lists every error of the parameters and the input. */
export const validated = async (
  endpoint: EndpointSpec,
  raw: RawInput,
  params: ReadParams,
  owner: Owner,
): Promise<Outcome<ValidInput, RefusalCode>> => {
  const known = Object.keys(endpoint.query?.().shape ?? {});
  const foreign = known.find((field) => [raw.query[field]].flat().includes(NOT_UTF8));
  if (foreign !== undefined) return refuse('malformed_query', { message: notUtf8(foreign) });
  const read = endpoint.body ? await raw.body.read(owner) : ok(NO_BODY);
  if (!read.ok) return read;
  const { fields, files } = read.value;
  const query = endpoint.query?.().safeParse(raw.query);
  const body = endpoint.body?.().safeParse(fields);
  const errors: FieldErrors = Object.assign(
    {},
    params.errors,
    keyErrors(endpoint, raw.idempotencyKey),
    query?.error && fieldErrors(query.error.issues, raw.query),
    endpoint.query && repeatFaults(raw.query, known),
    body?.error && fieldErrors(body.error.issues, fields),
    filesErrors(endpoint, read.value),
  );
  if (Object.keys(errors).length > 0)
    return refuse('validation_failed', { message: summary(errors), data: { errors } });
  return ok({ query: query?.data ?? null, body: body?.data ?? null, files: allFiles(endpoint, files) });
};
