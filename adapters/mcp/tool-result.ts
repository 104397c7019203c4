import type { Download } from '../../application/shared/files.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Refused } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { refusalBody } from '../host/reply.ts';
import type { ObjectSchema } from './json-schema.ts';
import type { CallEnd, CallToolResult } from './tool.ts';

/** A shortened value, and the paths of the lists and strings that lost a part. */
type ShortenedValue = { readonly value: unknown; readonly cuts: readonly string[] };

type Caps = { readonly items: number; readonly characters: number };

/** Strings longer than LONG_TEXT are cut before a list loses an entry; those longer than SHORT_TEXT only after that. */
const LONG_TEXT = 10_000;
const SHORT_TEXT = 1000;

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

const cut = (value: unknown, caps: Caps, path: string, cuts: string[]): unknown => {
  if (typeof value === 'string') {
    if (value.length <= caps.characters) return value;
    cuts.push(`${path}: the first ${caps.characters} of ${value.length} characters`);
    return value.slice(0, caps.characters).toWellFormed();
  }
  if (Array.isArray(value)) {
    if (value.length > caps.items) cuts.push(`${path}: ${caps.items} of ${value.length} entries`);
    return value.slice(0, caps.items).map((one, i) => cut(one, caps, `${path}[${i}]`, cuts));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      cut(inner, caps, path === '' ? name : `${path}.${name}`, cuts),
    ]),
  );
};

const longestList = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce<number>((most, one) => Math.max(most, longestList(one)), 0);
  return Array.isArray(value) ? Math.max(value.length, inner) : inner;
};

/** The maximum number of list entries with which the value fits; undefined if no number fits. */
const mostItems = (value: unknown, limit: number, characters: number): number | undefined => {
  const fitsWith = (items: number): boolean => sizeOf(cut(value, { items, characters }, '', [])) <= limit;
  let [fits, fails] = [0, longestList(value) + 1];
  if (fitsWith(fails - 1)) return fails - 1;
  while (fails - fits > 1) {
    const items = (fits + fails) >> 1;
    if (fitsWith(items)) fits = items;
    else fails = items;
  }
  return fits > 0 ? fits : undefined;
};

/**
 * The JSON value shortened to at most `limit` characters of JSON. Every object keeps all its fields; lists keep their
 * first entries and strings their beginning, so that a schema without minimum sizes still holds. Undefined if the value
 * already fits. `size` is the length of its JSON.
 */
export const shorten = (value: unknown, limit: number, size: number = sizeOf(value)): ShortenedValue | undefined => {
  if (size <= limit) return undefined;
  const choices = [LONG_TEXT, SHORT_TEXT].map((characters) => ({
    characters,
    items: mostItems(value, limit, characters),
  }));
  const { characters, items } = choices.find((choice) => choice.items !== undefined) ?? { characters: SHORT_TEXT };
  const cuts: string[] = [];
  return { value: cut(value, { items: items ?? 0, characters }, '', cuts), cuts };
};

type ResultEnd = Extract<CallEnd, { readonly result: CallToolResult }>;

/** A URL that downloads a file without a credential, and its expiry. */
export type Link = { readonly url: string; readonly expires_at: string };

/** Creates such a URL for a stored file. */
export type SignLink = (file: { readonly sha256: string; readonly filename: string }) => Promise<Link>;

/** The maximum length of a result in characters of JSON; more would crowd an agent's context. */
export const RESULT_CHARACTERS = 40_000;

const string = { type: 'string' };

/** The output of a tool whose endpoint answers with a file: a link to the file, never its bytes. */
export const FILE_SCHEMA: ObjectSchema = {
  type: 'object',
  properties: {
    filename: string,
    sha256: string,
    size: { type: 'integer' },
    download_url: string,
    download_expires_at: string,
  },
};

export const REDIRECT_SCHEMA: ObjectSchema = {
  type: 'object',
  properties: { download_url: string },
};

const DONE_SCHEMA: ObjectSchema = {
  type: 'object',
  properties: { done: { type: 'boolean' } },
};

/** The field of a result for the value of a response header: `released_slots` for `X-Released-Slots`. */
const countMember = (header: string): string => header.toLowerCase().replace(/^x-/, '').replaceAll('-', '_');

/** The output of a tool whose endpoint answers without a body. */
export const doneSchema = (countedBy: string | undefined): ObjectSchema =>
  countedBy === undefined
    ? DONE_SCHEMA
    : { type: 'object', properties: { ...DONE_SCHEMA.properties, [countMember(countedBy)]: { type: 'integer' } } };

/** A result with structured content, and the same JSON as text. */
const structured = (value: Record<string, unknown>, json = JSON.stringify(value)): ResultEnd => ({
  result: { content: [{ type: 'text', text: json }], structuredContent: value },
  json,
});

/** The result for a JSON answer. `rest` explains how an agent gets the parts that a long answer loses. */
const jsonResult = (value: unknown, rest: () => string): ResultEnd => {
  const json = JSON.stringify(value);
  const short = shorten(value, RESULT_CHARACTERS, json.length);
  if (short === undefined) return structured(value as Record<string, unknown>, json);
  const said = `This answer is shortened. ${short.cuts.slice(0, 10).join('; ')}. ${rest()}`;
  return structured({ ...(short.value as Record<string, unknown>), _shortened: said });
};

type LinkBlock = Extract<CallToolResult['content'][number], { type: 'resource_link' }>;

const linked = (link: Omit<LinkBlock, 'type'>, value: Record<string, unknown>): ResultEnd => {
  const { content, structuredContent } = structured(value).result;
  return { result: { content: [{ type: 'resource_link', ...link }, ...content], structuredContent } };
};

const fileResult = async ({ filename, sha256, size }: Download, sign: SignLink): Promise<ResultEnd> => {
  const { url, expires_at } = await sign({ sha256, filename });
  const value = { filename, sha256, size, download_url: url, download_expires_at: expires_at };
  return linked({ uri: url, name: filename, size }, value);
};

export const answerResult = (
  { output }: Pick<EndpointSpec, 'output'>,
  value: unknown,
  { sign, rest }: { readonly sign: SignLink; readonly rest: () => string },
): ResultEnd | Promise<ResultEnd> => {
  switch (output.kind) {
    case 'json':
      return jsonResult(value, rest);
    case 'binary':
      return fileResult(value as Download, sign);
    case 'redirect':
      return linked({ uri: value as string, name: 'download' }, { download_url: value });
    case 'empty':
      return structured({
        done: true,
        ...(output.countedBy !== undefined && { [countMember(output.countedBy)]: value }),
      });
    default:
      throw new Error(`A tool can't answer with ${output.kind}.`);
  }
};

/** A result that tells the agent what to change. */
export const errorResult = (message: string, data?: object): CallToolResult => ({
  isError: true,
  content: [
    { type: 'text', text: message },
    ...(data === undefined ? [] : [{ type: 'text' as const, text: JSON.stringify(data) }]),
  ],
});

/** The result of a refused call: the message, the advice for its code, and the body of the REST answer. */
export const refusalResult = (
  refused: Refused,
  {
    nameOf,
    advice,
    locale,
  }: {
    readonly nameOf: (field: string) => string;
    readonly advice: string | undefined;
    readonly locale: Locale;
  },
): CallToolResult => {
  const body = refusalBody(refused, locale);
  const { message, errors } = body as { message: string; errors?: Record<string, string[]> };
  if (errors === undefined) {
    const sentences = advice === undefined ? message : `${message} ${advice}`;
    return errorResult(sentences, Object.keys(body).length > 1 ? body : undefined);
  }
  const lines = Object.entries(errors).map(([field, sentences]) => {
    const [first = field, ...path] = field.split('.');
    return `- ${[nameOf(first), ...path].join('.')}: ${sentences.join(' ')}`;
  });
  return errorResult(['Change these arguments and call again:', ...lines].join('\n'));
};
