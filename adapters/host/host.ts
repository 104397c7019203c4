import { randomUUID } from 'node:crypto';
import { Contention } from '../../application/shared/contended.ts';
import { refuse } from '../../domain/shared/outcome.ts';
import { StoreUnavailable } from '../store/table.ts';
import { crossOriginHeaders, preflightReply } from './cross-origin.ts';
import { type Answered, isStreamed, jsonReply, NO_STORE, type Reply, refusalReply, wrongMethodReply } from './reply.ts';
import type { HostHeaders, HostRequest } from './request.ts';
import { type Route, Routes } from './routes.ts';
import { watched } from './watched.ts';

/** Answers the requests of one route. */
export type Respond = (request: HostRequest, params: Readonly<Record<string, string>>) => Reply | Promise<Reply>;

export type HostRoute = Route<Respond>;

/** Logs one line for each request. The line has no header, query or body. */
export type RequestLog = (line: {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly answered: Answered | undefined;
}) => void;

export type HostOptions = {
  readonly log: RequestLog;
  /** Logs the fault that a request met. */
  readonly fault: (error: unknown, requestId: string) => void;
  /** Resolves while the host's stores answer. */
  readonly health: () => Promise<void>;
  /** The address whose pages may call this host from a browser. */
  readonly openTo?: string | undefined;
  /** Keeps the headers that the host reads; without it, the host reads all. */
  readonly passes?: ((headers: HostHeaders) => HostHeaders) | undefined;
};

/** A host: a function from a plain request to a plain reply. It never rejects. Mounts carry requests to it. */
export type Host = {
  readonly handle: (request: HostRequest) => Promise<Reply>;
  /** The reply in place of one that the runtime can't send, such as a header with a line break; the log is told of it. */
  readonly instead: (reply: Reply, error: unknown) => Reply;
  /** True if the host has the path. A mount that shares its server with others asks this first. */
  readonly serves: (path: string) => boolean;
};

const REQUEST_ID = /^[\w.:-]{8,128}$/;

/** The request's id: the client's X-Request-Id if it has 8 to 128 letters, digits and `_.:-`, otherwise a new UUID. */
export const requestIdOf = (headers: HostHeaders): string => {
  const given = headers['x-request-id'];
  return given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
};

/** The headers of every reply. */
export const frameHeaders = (requestId: string): Readonly<Record<string, string>> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
});

/**
 * Creates a host of these routes. Every host treats request ids, security headers, health, unknown paths and methods,
 * faults and the log line in the same way, on every mount.
 */
export const createHost = (routes: readonly HostRoute[], options: HostOptions): Host => {
  const { log, fault, openTo, passes } = options;
  const table = new Routes<Respond>([...routes, { method: 'GET', path: '/healthz', entry: health(options) }]);
  const common = openTo === undefined ? {} : crossOriginHeaders(openTo);

  const respond = (request: HostRequest): Reply | Promise<Reply> => {
    if (openTo !== undefined && request.method === 'OPTIONS') {
      const preflight = preflightReply(request.headers);
      if (preflight) return preflight;
    }
    const found = table.find(request.path);
    if (!found) return refusalReply(refuse('not_found'));
    const entry = found.entries.get(request.method);
    if (!entry) return wrongMethodReply([...found.entries.keys()]);
    return entry(request, found.params);
  };

  const handle = async (given: HostRequest): Promise<Reply> => {
    const started = performance.now();
    const request = passes ? { ...given, headers: passes(given.headers) } : given;
    const id = requestIdOf(request.headers);
    let reply: Reply;
    try {
      reply = await respond(request);
    } catch (error) {
      fault(error, id);
      reply = faultReply(error, id);
    }
    const { status, headers, body, answered } = reply;
    const { method, path } = request;
    const ended = (): void => {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      log({ id, method, path, status, ms, answered });
    };
    const framed = { status, headers: { ...frameHeaders(id), ...common, ...headers } };
    if (isStreamed(body)) return { ...framed, body: watched(body, ended, (error) => fault(error, id)) };
    ended();
    return { ...framed, body: method === 'HEAD' ? null : body };
  };

  const instead = ({ headers }: Reply, error: unknown): Reply => {
    const id = headers['x-request-id'] ?? randomUUID();
    fault(error, id);
    const reply = faultReply(error, id);
    return { ...reply, headers: { ...frameHeaders(id), ...reply.headers } };
  };

  return { handle, instead, serves: (path) => table.find(path) !== undefined };
};

const health =
  ({ health: check }: HostOptions): Respond =>
  async () => {
    await check();
    return jsonReply(200, { status: 'ok' }, { 'cache-control': NO_STORE });
  };

/**
 * The reply to a fault: 503 if the store is unavailable or too contended, otherwise 500 with the request id. Only the
 * log has the details.
 */
export const faultReply = (error: unknown, requestId: string): Reply => {
  if (error instanceof StoreUnavailable || error instanceof Contention) return refusalReply(refuse('unavailable'));
  const message = `Something went wrong on our side; if it happens again, tell us the request id ${requestId}.`;
  return jsonReply(500, { message }, { 'cache-control': NO_STORE });
};
