import { parse as parseQuery } from 'node:querystring';
import type { Download } from '../../application/shared/files.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Refused } from '../../domain/shared/outcome.ts';
import { percentDecoded } from '../../domain/shared/plain-text.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { NOT_UTF8 } from '../pipeline/input.ts';
import type { Answer, Invoker } from '../pipeline/invoke.ts';
import { bodyOf, type Intake, type RequestBody } from './bodies.ts';
import { faultReply, type HostRoute, type Respond } from './host.ts';
import { objectReply } from './object-reply.ts';
import {
  answeredTo,
  answeredWith,
  jsonReply,
  NO_STORE,
  type Reply,
  rateHeaders,
  refusalReply,
  revalidatedReply,
} from './reply.ts';
import { type HostRequest, localeOf } from './request.ts';

/** The value of Vary: the request headers that the endpoint's answer depends on; empty if there are none. */
const variesBy = ({ access, localized, cache }: EndpointSpec): string => {
  const isOpen = access.credential === 'none' || access.credential === 'gallery';
  const names = [
    ...(localized ? ['Accept-Language'] : []),
    ...(!isOpen && (localized || cache !== undefined) ? ['Authorization'] : []),
  ];
  return names.join(', ');
};

const JSON_TYPE = 'application/json; charset=utf-8';

/** An endpoint, its `variesBy`, and the language of the request. */
type EndpointRequest = { readonly endpoint: EndpointSpec; readonly vary: string; readonly locale: Locale };

type ContentLocale = { readonly content_locale?: Locale | null };

/** The languages of the products in an answer, in the form of Content-Language; empty if they have no texts. */
const contentLanguages = (value: unknown): string => {
  const { product, products = [] } = value as {
    readonly product?: ContentLocale;
    readonly products?: readonly ContentLocale[];
  };
  const said = [...(product ? [product] : []), ...products].flatMap(({ content_locale }) => content_locale ?? []);
  return [...new Set(said)].join(', ');
};

/** The Content-Language of an answer (RFC 9110, section 8.5); empty if the service does not know it. */
const languageOf = ({ localized }: EndpointSpec, outcome: Answer['outcome'], locale: Locale): string => {
  if (!outcome.ok) return '';
  if (localized === 'worded') return locale;
  return localized === 'described' ? contentLanguages(outcome.value) : '';
};

const render = (call: EndpointRequest, request: HostRequest, answer: Answer): Reply | Promise<Reply> => {
  const { outcome, rate, principal } = answer;
  if (!outcome.ok) {
    const locale = localeOf(request.headers['accept-language']);
    return framed(call, answer, refusalReply(outcome as Refused<RefusalCode>, rate, locale));
  }
  const reply = success(call.endpoint, request, outcome.value, principal?.kind === 'anyone');
  return reply instanceof Promise ? reply.then((read) => framed(call, answer, read)) : framed(call, answer, reply);
};

const framed = (
  { endpoint, vary, locale }: EndpointRequest,
  answer: Answer,
  { status, headers, body }: Reply,
): Reply => {
  const { outcome, rate, principal, replayed } = answer;
  const all: Record<string, string> = rateHeaders(rate);
  if (vary !== '') all['vary'] = vary;
  const language = body === null ? '' : languageOf(endpoint, outcome, locale);
  if (language !== '') all['content-language'] = language;
  if (replayed) all['idempotency-replayed'] = 'true';
  const answered = answeredWith(endpoint, principal, outcome);
  const reply = { status, headers: Object.assign(all, headers), body, answered };
  return 'fault' in answer ? { ...reply, faults: [answer.fault] } : reply;
};

const success = (
  endpoint: EndpointSpec,
  request: HostRequest,
  value: unknown,
  isAnyone: boolean,
): Reply | Promise<Reply> => {
  const { output, cache } = endpoint;
  switch (output.kind) {
    case 'empty':
      return { status: output.status, headers: countHeaders(output.countedBy, value), body: null };
    case 'binary':
      return download(request, value as Download);
    case 'redirect':
      return redirectTo(value as string);
    case 'css':
      return revalidatedReply(request, value as string, 'text/css; charset=utf-8', keptBy(endpoint, isAnyone));
    case 'xml': {
      const type = `${output.mediaType}; charset=utf-8`;
      return revalidatedReply(request, value as string, type, keptBy(endpoint, isAnyone));
    }
    case 'json': {
      if (output.otherwise === 'empty' && value === null) {
        return { status: 204, headers: { 'cache-control': keptBy(endpoint, isAnyone) }, body: null };
      }
      if (output.otherwise === 'redirect' && typeof value === 'string') return redirectTo(value);
      if (cache !== undefined) {
        return revalidatedReply(request, JSON.stringify(value), JSON_TYPE, keptBy(endpoint, isAnyone));
      }
      const { joinedBy, status } = output;
      const joined = joinedBy !== undefined && (value as Record<string, unknown>)[joinedBy] === true;
      return jsonReply(joined ? 200 : status, value, { 'cache-control': NO_STORE });
    }
  }
};

const redirectTo = (location: string): Reply => ({
  status: 302,
  headers: { 'cache-control': NO_STORE, location },
  body: null,
});

const countHeaders = (name: string | undefined, count: unknown): Reply['headers'] =>
  name === undefined ? {} : { [name.toLowerCase()]: String(count) };

/**
 * The Cache-Control of an answer. Shared caches may keep an answer that is the same for everybody. The client's own
 * cache keeps any other answer and revalidates it each time.
 */
const keptBy = ({ cache }: EndpointSpec, isAnyone: boolean): string =>
  typeof cache === 'object' && isAnyone ? `public, max-age=${cache.publicSeconds}` : 'private, no-cache';

const download = (request: HostRequest, { sha256, size, filename, open }: Download): Promise<Reply> =>
  objectReply(
    request,
    {
      info: { sha256, size, etag: `"${sha256}"` },
      filename,
      contentType: 'application/octet-stream',
      disposition: 'attachment',
      cacheControl: 'private, no-cache',
    },
    open,
  );

const NO_QUERY = {};

const NO_BODY: RequestBody = {
  isCostly: false,
  read: () => Promise.reject(new Error('The endpoint takes no body.')),
};

/**
 * One route for each endpoint. Received files stay in the spool until their request is answered. Throws if the service
 * can't identify the callers of an endpoint.
 */
export const endpointRoutes = (endpoints: readonly EndpointSpec[], invoker: Invoker, intake: Intake): HostRoute[] =>
  endpoints.map((endpoint) => {
    invoker.check(endpoint);
    return {
      method: endpoint.method,
      path: endpoint.path,
      entry: respondWith(endpoint, invoker, intake),
      counts: 'itself',
    };
  });

/** The parameters of a query. Repeated parameters with equal values count as one. */
const queryOf = (text: string): Readonly<Record<string, unknown>> => {
  if (text === '') return NO_QUERY;
  const query = parseQuery(text, '&', '=', { decodeURIComponent: (part) => percentDecoded(part) ?? NOT_UTF8 });
  for (const [name, values] of Object.entries(query)) {
    if (Array.isArray(values) && values.every((value) => value === values[0])) query[name] = values[0];
  }
  return query;
};

const respondWith = (endpoint: EndpointSpec, invoker: Invoker, intake: Intake): Respond => {
  const bodyFor = endpoint.body && bodyOf(endpoint, intake);
  const vary = variesBy(endpoint);
  return (request, params, requestId) => {
    const { headers, address } = request;
    const body = bodyFor?.(request) ?? NO_BODY;
    const raw = {
      params,
      query: endpoint.query ? queryOf(request.query) : NO_QUERY,
      body,
      locale: endpoint.localized ? localeOf(headers['accept-language']) : ('en' as const),
      idempotencyKey: headers['idempotency-key'],
    };
    const rendered = async (): Promise<Reply> => {
      try {
        const answer = await invoker.answer(endpoint, raw, { authorization: headers['authorization'], address });
        return await render({ endpoint, vary, locale: raw.locale }, request, answer);
      } catch (fault) {
        return { ...faultReply(fault, requestId), answered: answeredTo(endpoint, null, null), faults: [fault] };
      }
    };
    return body.discard ? discarding(body.discard, rendered()) : rendered();
  };
};

/** Returns the reply once the files of its request are removed. `replying` never rejects. */
const discarding = async (discard: () => Promise<void> | undefined, replying: Promise<Reply>): Promise<Reply> => {
  const reply = await replying;
  try {
    await discard();
    return reply;
  } catch (fault) {
    // Files that could not be deleted are swept later, so the fault does not affect this request.
    return { ...reply, faults: [...(reply.faults ?? []), fault] };
  }
};
