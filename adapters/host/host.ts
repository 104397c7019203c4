import { randomUUID } from 'node:crypto';
import { Contention } from '../../application/shared/contended.ts';
import type { AddressCounter } from '../../domain/access/rate-limit.ts';
import { countedAddress, type RateVerdict } from '../../domain/access/rate-limit.ts';
import { refuse } from '../../domain/shared/outcome.ts';
import { REFUSALS } from '../../ports/inbound/refusals.ts';
import { StoreUnavailable } from '../store/table.ts';
import { peerAddress } from './peer-address.ts';
import {
  type AnswerFacts,
  isStreamed,
  jsonReply,
  limitedReply,
  NO_STORE,
  type Reply,
  refusalReply,
  withRate,
  wrongMethodReply,
} from './reply.ts';
import type { HostHeaders, HostRequest } from './request.ts';
import { type Route, Routes } from './routes.ts';
import { type BoundReply, watched } from './streams.ts';

/** Seconds for which a browser may cache the answer to a preflight request. */
const PREFLIGHT_MAX_AGE = 600;

const ALLOWED = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-allow-headers': [
    'Authorization',
    'Content-Type',
    'Accept-Language',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'If-Range',
    'Range',
    'X-Request-Id',
    'MCP-Protocol-Version',
    'Mcp-Session-Id',
    'Mcp-Method',
    'Mcp-Name',
  ].join(', '),
  'access-control-max-age': String(PREFLIGHT_MAX_AGE),
};

const EXPOSED = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'ETag',
  'Location',
  'Allow',
  'Content-Disposition',
  'Content-Language',
  'Content-Range',
  'Idempotency-Replayed',
  'Repr-Digest',
  'Mcp-Session-Id',
  'WWW-Authenticate',
  'X-Released-Slots',
].join(', ');

const isOpenTo = (origins: ReadonlySet<string>, { origin }: HostHeaders): boolean =>
  origin !== undefined && origins.has(origin);

/**
 * The headers that let pages of these origins read a host's answers (Fetch, CORS protocol). A page of another origin
 * gets none, so its browser blocks it. Browsers send no cookies to the host, because callers send a key.
 */
const crossOriginHeaders = (origins: ReadonlySet<string>, headers: HostHeaders): Reply['headers'] => {
  if (origins.size === 0) return {};
  if (!isOpenTo(origins, headers)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': headers['origin'] as string,
    'access-control-expose-headers': EXPOSED,
  };
};

/** The reply to a preflight request (Fetch) from a page of these origins; undefined for any other request. */
const preflightReply = (
  origins: ReadonlySet<string>,
  { method, headers }: Pick<HostRequest, 'method' | 'headers'>,
): Reply | undefined =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined && isOpenTo(origins, headers)
    ? { status: 204, headers: ALLOWED, body: null }
    : undefined;

/** A reply's own headers merged with those of the CORS protocol. `Vary` combines both. */
const withCrossOrigin = (cors: Reply['headers'], own: Reply['headers']): Reply['headers'] => {
  const varies = [own['vary'], cors['vary']].filter((names) => names !== undefined);
  return { ...cors, ...own, ...(varies.length > 0 && { vary: varies.join(', ') }) };
};

/** Answers the requests of one route. The id is the one in the reply and the log. */
export type Respond = (
  request: HostRequest,
  params: Readonly<Record<string, string>>,
  requestId: string,
) => Reply | Promise<Reply>;

export type HostRoute = Route<Respond> & {
  /**
   * The address counter for the route's requests; `calls` if absent. A route of endpoints counts its requests `itself`,
   * against the caller.
   */
  readonly counts?: AddressCounter | 'itself';
};

export type Limit = (counter: AddressCounter, address: () => string) => Promise<RateVerdict>;

/** A request in the log, without headers, query or body. */
export type RequestLine = {
  readonly id: string;
  readonly method: string;
  /** At most 256 characters, without control characters; a longer path ends with `…`. */
  readonly path: string;
  /** The IP address that the request counts for: an IPv6 address is its first 64 bits. It is personal data. */
  readonly address: string;
  readonly status: number;
  readonly ms: number;
  readonly answered: AnswerFacts | undefined;
};

const LONGEST_PATH = 256;
const LONGEST_METHOD = 16;

/** Characters that could move or hide text in the log. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text from a client, limited to `longest` characters. */
const cut = (text: string, longest: number): string => {
  const short = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  return short.replace(UNSEEN, '\u{fffd}');
};

/** The log line of a request, with the texts from the client cleaned. */
export const requestLine = ({ method, path, address, ...line }: RequestLine): RequestLine => ({
  ...line,
  method: cut(method, LONGEST_METHOD),
  path: cut(path, LONGEST_PATH),
  address: cut(countedAddress(address), LONGEST_PATH),
});

export type RequestLog = (line: RequestLine) => void;

export type HostOptions = {
  readonly log: RequestLog;
  readonly fault: (error: unknown, requestId: string) => void;
  /**
   * Resolves while the process can serve, which means that it can read the table. Faults of files or of writes don't
   * count.
   */
  readonly health: () => Promise<void>;
  /** Reports for each part whether it can be written; see `/readyz`. Without it, the path does not exist. */
  readonly ready?: (() => Promise<Readiness>) | undefined;
  /**
   * Counts every request that its route does not count itself, including unknown paths and wrong methods, even with a
   * credential, because credentials are not looked up for them. Health checks never count. Without it, only routes that
   * count themselves have a limit.
   */
  readonly limit?: Limit | undefined;
  /** The origins whose pages may call this host from a browser. */
  readonly openTo?: readonly string[] | undefined;
  /** Filters the headers that the host reads; without it, the host reads all. */
  readonly passes?: ((headers: HostHeaders) => HostHeaders) | undefined;
  /** Limits the streams of one caller. Without it, they are unlimited. */
  readonly streams?: BoundReply | undefined;
};

/** The parts of a store, and whether a small write to each succeeds. */
export type Readiness = Readonly<Record<'table' | 'files', boolean>>;

/** A host: a function from a plain request to a plain reply. It never rejects. Mounts connect it to a runtime. */
export type HostFunction = {
  readonly handle: (request: HostRequest) => Promise<Reply>;
  /** True if the host has the path. A mount that shares its server with other apps asks this first. */
  readonly serves: (path: string) => boolean;
};

const REQUEST_ID = /^[\w.:-]{8,128}$/;

/** The request's id: the client's X-Request-Id if it has 8 to 128 letters, digits and `_.:-`, otherwise a new UUID. */
export const requestIdOf = (headers: HostHeaders): string => {
  const sent = headers['x-request-id'];
  return sent !== undefined && REQUEST_ID.test(sent) ? sent : randomUUID();
};

export const frameHeaders = (requestId: string): Readonly<Record<string, string>> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
});

/**
 * Wraps `respond` with the parts that every reply of a host has: request id, common and CORS headers, the answer to a
 * fault, and the log line. It never rejects.
 */
export const framed = (
  options: Pick<HostOptions, 'log' | 'fault' | 'openTo' | 'passes' | 'streams'>,
  respond: (request: HostRequest, id: string) => Reply | Promise<Reply>,
): HostFunction['handle'] => {
  const { passes, streams } = options;
  const openTo = new Set(options.openTo);
  const log = quiet(options.log);
  const fault = quiet(options.fault);
  return async (incoming: HostRequest): Promise<Reply> => {
    const started = performance.now();
    const address = known(incoming.address);
    const request = { ...incoming, address, headers: passes ? passes(incoming.headers) : incoming.headers };
    const id = requestIdOf(request.headers);
    let reply: Reply;
    try {
      const answer = sendable(await respond(request, id));
      reply = streams ? await streams(answer, request) : answer;
    } catch (error) {
      fault(error, id);
      reply = faultReply(error, id);
    }
    const { status, headers, body, answered, faults = [], ended: onEnd } = reply;
    for (const one of faults) fault(one, id);
    const { method, path } = request;
    const ended = (): void => {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      log(requestLine({ id, method, path, address: address(), status, ms, answered }));
    };
    const cors = crossOriginHeaders(openTo, request.headers);
    const head = { status, headers: { ...frameHeaders(id), ...withCrossOrigin(cors, headers) } };
    if (isStreamed(body)) {
      const watchedBody = watched(body, ended, (error) => fault(error, id));
      return { ...head, body: watchedBody, ...(onEnd && { ended: onEnd }) };
    }
    ended();
    return { ...head, body: method === 'HEAD' ? null : body };
  };
};

/**
 * Creates a host of these routes. Every host treats request ids, security headers, health, unknown paths and methods,
 * faults and the log line alike, on every mount.
 */
export const createHost = (routes: readonly HostRoute[], options: HostOptions): HostFunction => {
  const { limit } = options;
  const openTo = new Set(options.openTo);
  const own = [['/healthz', health(options)] as const, ...(options.ready ? [readyRoute(options.ready)] : [])];
  const checks = own.map(([path, entry]): HostRoute => ({ method: 'GET', path, entry, counts: 'itself' }));
  const table = new Routes<HostRoute>([...routes, ...checks].map((route) => ({ ...route, entry: route })));

  /** Counts a request against its address, and answers it if it is within the limit. */
  const counted = async (
    counter: AddressCounter,
    request: HostRequest,
    answer: () => Reply | Promise<Reply>,
  ): Promise<Reply> => {
    if (!limit) return answer();
    const rate = await limit(counter, request.address);
    return rate.allowed ? withRate(await answer(), rate) : limitedReply(rate, request);
  };

  const respond = (request: HostRequest, id: string): Reply | Promise<Reply> => {
    const preflight = preflightReply(openTo, request);
    if (preflight) return counted('bulk', request, () => preflight);
    const found = table.find(request.path);
    if (!found) return counted('calls', request, () => refusalReply(refuse('not_found')));
    const route = found.entries.get(request.method);
    if (!route) return counted('calls', request, () => wrongMethodReply([...found.entries.keys()]));
    const { entry, counts = 'calls' } = route;
    const answer = (): Reply | Promise<Reply> => entry(request, found.params, id);
    return counts === 'itself' ? answer() : counted(counts, request, answer);
  };

  return { handle: framed(options, respond), serves: (path) => table.find(path) !== undefined };
};

/**
 * The client's address, read at once and cached, because a closed connection has none. An invalid address becomes the
 * empty one, so all clients without an address share their limits.
 */
const known = (ask: () => string): (() => string) => {
  const address = peerAddress(ask()) ?? '';
  return () => address;
};

/** The embedder's logging function; its errors don't affect requests. */
const quiet =
  <A extends unknown[]>(tell: (...args: A) => void) =>
  (...args: A): void => {
    try {
      tell(...args);
    } catch {
      // A failing log leaves nowhere to report to.
    }
  };

/** Characters that a header cannot contain (RFC 9110, section 5.5). */
const NO_HEADER = /[^\t\x20-\x7e\x80-\xff]/;

/** Throws for a reply that no runtime could send, before its status is logged. */
const sendable = (reply: Reply): Reply => {
  for (const name in reply.headers) {
    if (!NO_HEADER.test(reply.headers[name] as string)) continue;
    if (isStreamed(reply.body)) reply.body.stream.destroy();
    throw new TypeError(`The header ${name} of a reply has a character that no header can have.`);
  }
  return reply;
};

/** Any fault of the check means that the host can't serve. */
const health =
  ({ health: check }: HostOptions): Respond =>
  async () => {
    try {
      await check();
    } catch (error) {
      throw error instanceof StoreUnavailable
        ? error
        : new StoreUnavailable('The health check failed.', { cause: error });
    }
    return jsonReply(200, { status: 'ok' }, { 'cache-control': NO_STORE });
  };

/**
 * For people and monitors: reports which part fails. Not for load balancers, because a new process doesn't fix a disk.
 */
const readyRoute = (ready: () => Promise<Readiness>) => {
  const entry: Respond = async () => {
    const parts = Object.entries(await ready());
    const word = (isFine: boolean): string => (isFine ? 'ok' : 'failing');
    const all = parts.every(([, isFine]) => isFine);
    const body = { status: word(all), ...Object.fromEntries(parts.map(([name, isFine]) => [name, word(isFine)])) };
    return jsonReply(all ? 200 : 503, body, { 'cache-control': NO_STORE, ...(!all && { 'retry-after': '5' }) });
  };
  return ['/readyz', entry] as const;
};

/** True for a temporary fault: the store is unavailable or too contended. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof StoreUnavailable || error instanceof Contention;

/** The message for a client whose request caused a fault. Only the log has the details. */
export const faultMessage = (error: unknown, requestId: string): string =>
  isUnavailable(error)
    ? REFUSALS.unavailable.message
    : `Something went wrong on our side; if it happens again, send us the request id ${requestId}.`;

/** The reply to a fault: 503 if the store is unavailable or too contended, otherwise 500 with the request id. */
export const faultReply = (error: unknown, requestId: string): Reply =>
  isUnavailable(error)
    ? refusalReply(refuse('unavailable'))
    : jsonReply(500, { message: faultMessage(error, requestId) }, { 'cache-control': NO_STORE });

/**
 * The Retry-After, in seconds. A start takes about one second; the first start, which loads the sample store, takes two
 * or three.
 */
const RETRY_SECONDS = 1;

type StartingLog = (line: {
  readonly id: string;
  readonly status: number;
  readonly code: string;
  readonly address: string;
}) => void;

/**
 * The host of a server that listens on its port but is not ready yet. It answers every request, including health
 * checks, with 503 and Retry-After, so that no client waits in vain. Each answer is logged.
 */
export const startingHost = (log: StartingLog): HostFunction => ({
  handle: async ({ headers, address }) => {
    const id = requestIdOf(headers);
    const reply = refusalReply(refuse('unavailable', { message: 'The service is starting; try again in a second.' }));
    log({ id, status: reply.status, code: 'starting', address: countedAddress(address()) });
    return { ...reply, headers: { ...frameHeaders(id), ...reply.headers, 'retry-after': String(RETRY_SECONDS) } };
  },
  serves: () => true,
});
