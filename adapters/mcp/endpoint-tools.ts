import { type AccessRule, abilityOf, checkCaller, permits } from '../../domain/access/access-rule.ts';
import type { Principal } from '../../domain/access/principal.ts';
import { LOCALES, type Locale } from '../../domain/shared/locale.ts';
import type { Refused } from '../../domain/shared/outcome.ts';
import { isBlank } from '../../domain/shared/plain-text.ts';
import { DOCUMENTATION, documentationOf } from '../../ports/inbound/documentation.ts';
import { type EndpointSpec, pathParams, type ToolSpec, takesName } from '../../ports/inbound/endpoint.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { DEFAULT_BODY_BYTES } from '../host/bodies.ts';
import { faultMessage } from '../host/host.ts';
import { answeredWith, rateHeaders, refusalReply, refusalStatus } from '../host/reply.ts';
import { bodyAtHand, type RawInput } from '../pipeline/input.ts';
import type { Answer, Invoker } from '../pipeline/invoke.ts';
import { inputSchema, type ObjectSchema, outputSchema } from './json-schema.ts';
import type { CallEnd, CallFacts, Listing, Tool, ToolContext } from './tool.ts';
import {
  answerResult,
  doneSchema,
  errorResult,
  FILE_SCHEMA,
  REDIRECT_SCHEMA,
  refusalResult,
  type SignLink,
} from './tool-result.ts';

export type CanInvoke = { readonly invoker: Pick<Invoker, 'invoke'> };

const limited = ({ outcome, rate }: Answer, locale: Locale): CallEnd<never> => {
  if (outcome.ok) throw new Error('The request is within its limits, so there is no refusal to return.');
  const reply = refusalReply(outcome as Refused<RefusalCode>, rate, locale);
  return { reply: { ...reply, headers: { ...rateHeaders(rate), ...reply.headers } } };
};

/**
 * Calls an endpoint for a message that is already counted, and converts its outcome with `ended`. A caller over a limit
 * gets the endpoint's 429; a fault goes to the log.
 */
export const callEndpoint = async <E extends object>(
  { invoker }: CanInvoke,
  endpoint: EndpointSpec,
  raw: RawInput,
  { caller, requestId }: ToolContext,
  ended: (outcome: Answer['outcome']) => E | Promise<E>,
): Promise<(E | CallEnd<never>) & CallFacts> => {
  try {
    const answer = await invoker.invoke(endpoint, raw, caller);
    const { outcome, rate } = answer;
    const answered = answeredWith(endpoint, caller.principal, outcome);
    const end = answered.code === 'rate_limited' ? limited(answer, raw.locale) : await ended(outcome);
    return { ...end, rate, answered };
  } catch (fault) {
    return { fault: faultMessage(fault, requestId), faults: [fault] };
  }
};

/** The part of the request that an argument fills. */
type Place = 'params' | 'query' | 'body' | 'language' | 'idempotency';

type ArgumentPlaces = {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly language: unknown;
  readonly idempotencyKey: unknown;
};

type ToolInput = {
  readonly schema: ObjectSchema;
  /** The names of arguments that the tool does not define. */
  readonly unknown: (args: Readonly<Record<string, unknown>>) => string[];
  readonly place: (args: Readonly<Record<string, unknown>>) => ArgumentPlaces;
  /** The argument that fills a field of the request, such as `query_version` for `version` in the query. */
  readonly nameOf: (field: string) => string;
};

type Field = { readonly place: Place; readonly field: string; readonly schema: object; readonly required: boolean };

const LANGUAGE = { type: 'string', enum: ['ko', 'en'] };
const idempotencyKey = ({ named }: EndpointSpec) => ({
  type: 'string',
  maxLength: 255,
  description: named
    ? 'Names this call; repeating it within 24 hours returns new values for unused keys.'
    : 'Names this call; repeating it within 24 hours returns the first answer.',
});

const fieldsOf = (place: Place, schema: ObjectSchema | undefined): Field[] =>
  Object.entries(schema?.properties ?? {}).map(([field, one]) => ({
    place,
    field,
    schema: one,
    // A path parameter is always required, whatever its schema accepts.
    required: place === 'params' || schema?.required?.includes(field) === true,
  }));

const own = (place: Place, field: string, schema: object): Field => ({ place, field, schema, required: false });

/**
 * All fields of the request, by argument name. If two fields share a name, the later one is prefixed with its place.
 */
const argumentsOf = (fields: readonly Field[], { renames = {} }: Partial<ToolSpec> = {}): Map<string, Field> => {
  const named = new Map<string, Field>();
  for (const one of fields) {
    const name = renames[one.field] ?? one.field;
    named.set(named.has(name) ? `${one.place}_${name}` : name, one);
  }
  return named;
};

/** The flat input of an endpoint's tool: path parameters, query and body together. Files are omitted. */
export const toolInput = (endpoint: EndpointSpec): ToolInput => {
  const { path, params, query, body, localized } = endpoint;
  const declared = [
    ...fieldsOf('params', params && inputSchema(params())),
    ...fieldsOf('query', query && inputSchema(query())),
    ...fieldsOf('body', body && inputSchema(body())),
    ...(localized ? [own('language', 'language', LANGUAGE)] : []),
    ...(takesName(endpoint) ? [own('idempotency', 'idempotency_key', idempotencyKey(endpoint))] : []),
  ];
  const named = argumentsOf(declared, endpoint.tool);
  const missing = pathParams(path).filter((name) => !declared.some((one) => one.field === name));
  if (missing.length > 0) throw new Error(`The parameters ${missing.join(', ')} of ${path} have no schema.`);
  const required = [...named].filter(([, field]) => field.required).map(([name]) => name);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries([...named].map(([name, { schema }]) => [name, schema])),
      ...(required.length > 0 && { required }),
      ...(named.size === 0 && { additionalProperties: false as const }),
    },
    unknown: (args) => Object.keys(args).filter((name) => !named.has(meant(named, args, name))),
    place: (args) =>
      placed(named, Object.fromEntries(Object.entries(args).map(([name, one]) => [meant(named, args, name), one]))),
    nameOf: (field) => [...named].find(([, one]) => one.field === field)?.[0] ?? field,
  };
};

/**
 * Resolves the name of an argument. If the tool has only one of `product` and `product_id` and the call passes only
 * one, both names mean the same. Endpoints take a product in the path and its id in a body, and agents mix the two up.
 */
const meant = (named: ReadonlyMap<string, Field>, args: Readonly<Record<string, unknown>>, name: string): string => {
  const twin = name.endsWith('_id') ? name.slice(0, -3) : `${name}_id`;
  return !named.has(name) && named.has(twin) && !Object.hasOwn(args, twin) ? twin : name;
};

const placed = (named: ReadonlyMap<string, Field>, args: Readonly<Record<string, unknown>>): ArgumentPlaces => {
  const values: Record<Place, Record<string, unknown>> = {
    params: {},
    query: {},
    body: {},
    language: {},
    idempotency: {},
  };
  for (const [name, { place, field }] of named) {
    const value = args[name];
    // An empty path segment would match no route over HTTP. It counts as missing, so that the refusal names it.
    const isNone = place === 'params' && typeof value === 'string' && isBlank(value);
    if (Object.hasOwn(args, name) && !isNone) values[place][field] = value;
  }
  const { params, query, body, language, idempotency } = values;
  return { params, query, body, language: language['language'], idempotencyKey: idempotency['idempotency_key'] };
};

type Hints = Required<
  Pick<NonNullable<Listing['annotations']>, `${string}Hint` & keyof NonNullable<Listing['annotations']>>
>;

const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean): Hints => ({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  // Tools only act within the store.
  openWorldHint: false,
});

/** The hints of each effect (MCP, ToolAnnotations). Without a hint, a client assumes the worst. */
const HINTS: Readonly<Record<ToolSpec['effect'], Hints>> = {
  reads: hints(true, false, true),
  adds: hints(false, false, false),
  replaces: hints(false, true, true),
  destroys: hints(false, true, true),
};

type ToolEndpoint = EndpointSpec & { readonly tool: ToolSpec };

type DescribedTool = Pick<Tool, 'name' | 'group' | 'listing'> & {
  readonly endpoint: ToolEndpoint;
  readonly input: ToolInput;
};

const schemaOf = ({ output, answer }: EndpointSpec): ObjectSchema => {
  if (answer !== undefined) return outputSchema(answer());
  if (output.kind === 'binary') return FILE_SCHEMA;
  if (output.kind === 'redirect') return REDIRECT_SCHEMA;
  return doneSchema(output.kind === 'empty' ? output.countedBy : undefined);
};

/** The name of a group in `?tools=`: from GROUP_NAMES, or else the group in lower case with `_` for spaces. */
const groupName = (group: string): string => GROUP_NAMES[group] ?? group.toLowerCase().replaceAll(' ', '_');

const GROUP_NAMES: Readonly<Record<string, string>> = {
  'Setup progress': 'setup',
  'App distribution': 'distribution',
};

const described = (endpoint: ToolEndpoint): DescribedTool => {
  const { name, effect } = endpoint.tool;
  const input = toolInput(endpoint);
  const documentation = documentationOf(endpoint);
  const { title = documentation.summary, description = '' } = documentation.tool ?? {};
  return {
    endpoint,
    input,
    name,
    group: groupName(documentation.group),
    listing: {
      name,
      title,
      description,
      inputSchema: input.schema as Tool['listing']['inputSchema'],
      outputSchema: schemaOf(endpoint) as Tool['listing']['outputSchema'],
      annotations: HINTS[effect],
    },
  };
};

/**
 * The endpoints that become tools, as agents see them, in the order of their documentation: the tools that an agent
 * needs first come first.
 */
const describedTools = (endpoints: readonly EndpointSpec[]): readonly DescribedTool[] => {
  const order = Object.keys(DOCUMENTATION);
  return endpoints
    .filter((one): one is ToolEndpoint => one.tool !== undefined)
    .map(described)
    .sort((a, b) => order.indexOf(a.endpoint.id) - order.indexOf(b.endpoint.id));
};

export type EndpointToolParts = CanInvoke & {
  readonly sign: SignLink;
  /** The advice to an agent for each refusal code. */
  readonly advice: Readonly<Partial<Record<string, string>>>;
  /** Public URLs of the hosts, without a trailing slash. */
  readonly urls: Readonly<Record<Host, string>>;
};

/** The advice on getting further entries of a list, by the query field that pages it. */
const PAGING = [
  { field: 'limit', advice: 'Ask for fewer entries with limit, and for the next page with after.' },
  { field: 'per_page', advice: 'Ask for fewer entries with per_page, and for the next page with page.' },
  { field: 'cols', advice: 'Ask for fewer entries with cols, and for the next page with page.' },
];
const PAGING_FIELDS = ['limit', 'after', 'per_page', 'cols', 'page'];

/** The phrase that names the credential of a plain HTTP request. */
const WITH: Readonly<Record<AccessRule['credential'], string>> = {
  key: ' with an API key',
  'key?': ' with an API key',
  agent: ' with this token',
  gallery: '',
  none: ' with an API key',
};

/** The advice on getting the parts that were cut from an answer. */
const restOf = (
  { host, path, query, access }: EndpointSpec,
  { params }: ArgumentPlaces,
  urls: EndpointToolParts['urls'],
): string => {
  const fields = Object.keys(query?.().shape ?? {});
  const pages = PAGING.filter(({ field }) => fields.includes(field)).map(({ advice }) => ` ${advice}`);
  const filters = fields.filter((field) => !PAGING_FIELDS.includes(field));
  const narrower = filters.length > 0 ? ` Narrow it with ${filters.join(', ')}.` : '';
  const named = pathParams(path).reduce(
    (url, name) => url.replace(`{${name}}`, encodeURIComponent(String(params[name]))),
    path,
  );
  return `The rest:${pages.join('')}${narrower} The whole answer is at GET ${urls[host]}${named}${WITH[access.credential]}.`;
};

const isLocale = (value: unknown): value is Locale => LOCALES.some((locale) => locale === value);

/** The message about the first argument with an invalid value; undefined if all are valid. */
const misplaced = ({ language, idempotencyKey }: ArgumentPlaces): string | undefined => {
  if (language !== undefined && language !== null && !isLocale(language))
    return `language must be one of ${LOCALES.join(', ')}.`;
  if (idempotencyKey !== undefined && idempotencyKey !== null && typeof idempotencyKey !== 'string')
    return 'idempotency_key must be a text.';
  return undefined;
};

/**
 * Makes a tool of an endpoint. Every call goes through the invoker like an HTTP request, which counts and checks it.
 */
const endpointTool = ({ endpoint, input, name, group, listing }: DescribedTool, parts: EndpointToolParts): Tool => {
  const { sign, urls, advice } = parts;

  const ended = async (outcome: Answer['outcome'], placed: ArgumentPlaces, locale: Locale): Promise<CallEnd> => {
    if (outcome.ok) return answerResult(endpoint, outcome.value, { sign, rest: () => restOf(endpoint, placed, urls) });
    const result = refusalResult(outcome, { nameOf: input.nameOf, advice: advice[outcome.code], locale });
    return refusalStatus(outcome.code) >= 500 ? { fault: textOf(result) } : { result };
  };

  const rawOf = ({ params, query, body, language, idempotencyKey }: ArgumentPlaces, locale: Locale): RawInput => ({
    params,
    query,
    body: bodyAtHand(body),
    locale: isLocale(language) ? language : locale,
    ...(typeof idempotencyKey === 'string' && { idempotencyKey }),
  });

  return {
    name,
    group,
    bodyLimit: endpoint.bodyLimit ?? DEFAULT_BODY_BYTES,
    listing,
    permits: (principal) => permits(principal, endpoint),
    lacks: (principal) => lackedBy(principal, endpoint),
    call: async (args, context) => {
      const unknown = input.unknown(args);
      const names = Object.keys(input.schema.properties);
      if (unknown.length > 0) return { result: errorResult(unknownArguments(name, unknown, names)) };
      const placed = input.place(args);
      const wrong = misplaced(placed);
      if (wrong !== undefined) return { result: errorResult(wrong) };
      const raw = rawOf(placed, context.locale);
      return callEndpoint(parts, endpoint, raw, context, (outcome) => ended(outcome, placed, raw.locale));
    },
  };
};

const unknownArguments = (tool: string, unknown: readonly string[], names: readonly string[]): string =>
  `${tool} has no argument ${unknown
    .slice(0, 5)
    .map((one) => `"${one.slice(0, 60)}"`)
    .join(', ')}; ${names.length > 0 ? `it takes ${names.join(', ')}` : 'it takes none'}.`;

const textOf = ({ content: [first] }: { content: readonly { type: string }[] }): string =>
  (first as unknown as { text: string }).text;

const lackedBy = (principal: Principal, endpoint: EndpointSpec): string | undefined => {
  if (principal.kind !== 'account') return undefined;
  const able = checkCaller(endpoint, principal);
  return !able.ok && able.code === 'missing_api_key_ability' ? abilityOf(endpoint) : undefined;
};

export const endpointTools = (endpoints: readonly EndpointSpec[], parts: EndpointToolParts): readonly Tool[] =>
  describedTools(endpoints).map((tool) => endpointTool(tool, parts));
