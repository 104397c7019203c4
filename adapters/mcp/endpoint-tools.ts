import type { Principal } from '../../domain/access/principal.ts';
import { LOCALES, type Locale } from '../../domain/shared/locale.ts';
import { type AccessRule, abilityOf, type EndpointSpec, pathParams } from '../../ports/inbound/endpoint.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import { refusalStatus } from '../host/refusal-body.ts';
import { DEFAULT_BODY_BYTES } from '../host/request-body.ts';
import { bodyAtHand, type RawInput } from '../pipeline/input.ts';
import type { Answer } from '../pipeline/invoke.ts';
import { checkCaller, permits } from '../pipeline/permits.ts';
import { type CanInvoke, callEndpoint } from './endpoint-call.ts';
import type { Ended, Tool } from './tool.ts';
import type { Placed } from './tool-input.ts';
import { type DescribedTool, describedTools } from './tool-listing.ts';
import { answerResult, errorResult, refusalResult, type SignLink } from './tool-result.ts';

export type EndpointToolParts = CanInvoke & {
  readonly sign: SignLink;
  /** Sentences that tell an agent what to do about a refusal. */
  readonly advice: Readonly<Partial<Record<string, string>>>;
  /** Public addresses of the hosts, without a slash at the end. */
  readonly urls: Readonly<Record<Host, string>>;
};

/** How an agent gets further entries of a list, by the field of the query that it takes. */
const PAGING = [
  { field: 'limit', advice: 'Ask for fewer entries with limit, and for the next page with after.' },
  { field: 'per_page', advice: 'Ask for fewer entries with per_page, and for the next page with page.' },
  { field: 'cols', advice: 'Ask for fewer entries with cols, and for the next page with page.' },
];
const PAGING_FIELDS = ['limit', 'after', 'per_page', 'cols', 'page'];

/** The credential of a plain request, as a sentence ends with it. */
const WITH: Readonly<Record<AccessRule['credential'], string>> = {
  key: ' with an API key',
  'key?': ' with an API key',
  agent: ' with this token',
  gallery: '',
  none: ' with an API key',
};

/** How an agent gets the parts of an answer that were cut. */
const restOf = (
  { host, path, query, access }: EndpointSpec,
  { params }: Placed,
  urls: EndpointToolParts['urls'],
): string => {
  const fields = Object.keys(query?.shape ?? {});
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

/** The sentence on the first argument that can't be what it should be; undefined where there is none. */
const misplaced = ({ language, idempotencyKey }: Placed): string | undefined => {
  if (language !== undefined && language !== null && !isLocale(language))
    return `language must be one of ${LOCALES.join(', ')}.`;
  if (idempotencyKey !== undefined && idempotencyKey !== null && typeof idempotencyKey !== 'string')
    return 'idempotency_key must be a text.';
  return undefined;
};

/** The endpoint as a tool. Every call goes the way of a request: through the invoker, which counts and checks it. */
const endpointTool = ({ endpoint, input, name, group, listing }: DescribedTool, parts: EndpointToolParts): Tool => {
  const { sign, urls, advice } = parts;

  const ended = async (outcome: Answer['outcome'], placed: Placed): Promise<Ended> => {
    if (outcome.ok) return answerResult(endpoint, outcome.value, { sign, rest: () => restOf(endpoint, placed, urls) });
    const result = refusalResult(outcome, input.nameOf, advice[outcome.code]);
    return refusalStatus(outcome.code) >= 500 ? { fault: textOf(result) } : { result };
  };

  const rawOf = ({ params, query, body, language, idempotencyKey }: Placed, locale: Locale): RawInput => ({
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
      return callEndpoint(parts, endpoint, raw, context, (outcome) => ended(outcome, placed));
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

/** A key keeps its abilities, so only who signed in can be asked for more. */
const lackedBy = (principal: Principal, endpoint: EndpointSpec): string | undefined => {
  if (principal.kind !== 'account' || principal.credential.kind !== 'token') return undefined;
  const able = checkCaller(endpoint, principal);
  return !able.ok && able.code === 'missing_api_key_ability' ? abilityOf(endpoint) : undefined;
};

/** The tools of the endpoints that declare one. */
export const endpointTools = (endpoints: readonly EndpointSpec[], parts: EndpointToolParts): readonly Tool[] =>
  describedTools(endpoints).map((tool) => endpointTool(tool, parts));
