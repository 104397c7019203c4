import type { Refused } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { refusalBody, refusalStatus } from '../host/reply.ts';
import { bodyAtHand, type RawInput } from '../pipeline/input.ts';
import { type CanInvoke, callEndpoint } from './endpoint-tools.ts';
import type { ListResourcesResult, ResourceSource, Template, ToolContext } from './tool.ts';

export const MARKDOWN = 'text/markdown';

export type Resource = ListResourcesResult['resources'][number];

/** The call of an endpoint that reads resources. */
export type ResourceCall = { readonly endpoint: EndpointSpec } & Pick<RawInput, 'params' | 'query'>;

/** Answers of endpoints, as texts with URIs. */
export type EndpointResources = {
  readonly templates: readonly Template[];
  /** The call that lists the resources, and the resources of its answer on this page. */
  readonly list: (page: number) => ResourceCall;
  readonly pageOf: (answer: unknown, page: number) => { readonly resources: Resource[]; readonly isLast: boolean };
  /** The call that reads the resource; undefined if the URI has another form. */
  readonly read: (uri: string) => ResourceCall | undefined;
  readonly textOf: (answer: unknown) => string;
  readonly notFound: string;
};

/** A cursor is the number of the next page. */
const CURSOR = /^[1-9]\d{0,4}$/;

const rawOf = ({ params, query }: ResourceCall, { locale }: ToolContext): RawInput => ({
  params,
  query,
  body: bodyAtHand(null),
  locale,
});

const isFault = ({ code }: Refused): boolean => refusalStatus(code) >= 500;
const sentenceOf = (refused: Refused): string => String(refusalBody(refused)['message']);

/**
 * Serves the resources. Each request goes through the invoker like a REST call, so that it is counted and permitted
 * like a call of the tool. A caller without the permission to list gets an empty list.
 */
export const endpointResources = (
  parts: CanInvoke,
  { templates, list, pageOf, read, textOf, notFound }: EndpointResources,
): ResourceSource => ({
  templates,
  list: async (cursor = '1', context) => {
    if (!CURSOR.test(cursor)) return { invalid: 'This cursor is none of this server’s; begin without one.' };
    const page = Number(cursor);
    const call = list(page);
    return callEndpoint(parts, call.endpoint, rawOf(call, context), context, (outcome) => {
      if (!outcome.ok) return isFault(outcome) ? { fault: sentenceOf(outcome) } : { result: { resources: [] } };
      const { resources, isLast } = pageOf(outcome.value, page);
      return { result: { resources, ...(!isLast && { nextCursor: String(page + 1) }) } };
    });
  },
  read: async (uri, context) => {
    const call = read(uri);
    if (call === undefined) return { missing: notFound };
    return callEndpoint(parts, call.endpoint, rawOf(call, context), context, (outcome) => {
      if (!outcome.ok) return isFault(outcome) ? { fault: sentenceOf(outcome) } : { missing: sentenceOf(outcome) };
      return { result: { contents: [{ uri, mimeType: MARKDOWN, text: textOf(outcome.value) }] } };
    });
  },
});
