import { parse as parseQuery } from 'node:querystring';
import { settled, valueIn } from '../../application/shared/settled.ts';
import { percentDecoded } from '../../domain/shared/percent-decoded.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { NOT_UTF8 } from '../pipeline/input.ts';
import type { Invoker } from '../pipeline/invoke.ts';
import { faultReply, type HostRoute, type Respond } from './host.ts';
import { localeOf } from './locale.ts';
import { render, variesBy } from './render.ts';
import { answeredTo, type Reply } from './reply.ts';
import { bodyOf, type Intake, type RequestBody } from './request-body.ts';

const NO_QUERY = {};

const NO_BODY: RequestBody = {
  isCostly: false,
  read: () => Promise.reject(new Error('The endpoint takes no body.')),
};

/**
 * One route for each endpoint. Received files lie in the spool until their request is answered. Throws if the service
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

/** The parameters of a query. A parameter that comes several times has one value where all are the same. */
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

/** The reply, once the files of its request are removed. */
const discarding = async (discard: () => Promise<void> | undefined, replying: Promise<Reply>): Promise<Reply> => {
  const replied = await settled(replying);
  // Files that could not be removed are swept later, so that the fault costs this request nothing.
  const discarded = await settled(Promise.resolve(discard()));
  const reply = valueIn(replied);
  return 'fault' in discarded ? { ...reply, faults: [...(reply.faults ?? []), discarded.fault] } : reply;
};
