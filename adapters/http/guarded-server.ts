import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { countedAddress } from '../../domain/access/rate-limit.ts';
import { frameHeaders } from '../host/host.ts';
import { createServer, IncomingMessage as Message, STATUS_CODES } from '../host/node-http.ts';
import { jsonReply, NO_STORE, type Reply } from '../host/reply.ts';
import { CONNECTION_BOUNDS, ConnectionLimits, SERVER_BOUNDS, type ServerBounds, UnreadAnswers } from './bounds.ts';
import { hasBody, sendReply } from './node-requests.ts';

/** A request refused before it reached a host, or a connection refused before its first request. */
export type EarlyRefusal = {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Logs one line for each early refusal. The code is Node's name of the reason, or one of our own. */
export type EarlyLog = (line: {
  readonly id: string;
  readonly status: number;
  readonly code: string;
  readonly address: string;
}) => void;

/** Milliseconds for which a client may continue sending after its answer, so that it can read the answer. */
const LINGER_MS = 2000;

/** The refusal as a reply, with the headers of every reply. The connection ends with it. */
export const earlyReply = ({ status, message, headers }: EarlyRefusal, id: string): Reply =>
  jsonReply(status, { message }, { ...frameHeaders(id), 'cache-control': NO_STORE, ...headers, connection: 'close' });

const wire = ({ status, headers, body }: Reply): string => {
  const lines = Object.entries({ date: new Date().toUTCString(), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${String(body)}`;
};

/**
 * Answers a connection on which Node can't or must not answer a request, and closes it. The rest of the request is
 * discarded for up to two seconds, because closing with unread bytes would lose the answer.
 */
export const answerEarly = (socket: Socket, refusal: EarlyRefusal, code: string, log: EarlyLog): void => {
  const id = randomUUID();
  log({ id, status: refusal.status, code, address: countedAddress(socket.remoteAddress ?? '') });
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  // A client that disconnects loses its answer. That is not a fault.
  socket.once('close', () => clearTimeout(timer)).on('error', () => {});
  socket.end(wire(earlyReply(refusal, id)));
  socket.resume();
};

/** The maximum number of pipelined requests that wait on a connection. Clients rarely send any. */
const WAITING_REQUESTS = 2;

/**
 * A request whose connection can be ended while Node parses a chunk. Node's parser parses a chunk of 64 KiB to its end
 * even if the first request in it ended the connection: 2,400 short requests take 5 MB and 40 ms. The parser does stop
 * at a request for a protocol upgrade, and closes the connection if the server supports none. So every request on an
 * ended connection claims to be an upgrade.
 */
export class StoppableRequest extends Message {
  private declare isUpgrade: boolean;

  /** Set and read by Node. */
  get upgrade(): boolean {
    return this.isUpgrade || this.socket.destroyed;
  }

  set upgrade(isUpgrade: boolean) {
    this.isUpgrade = isUpgrade;
  }
}

/** Calls the listener when it is the request's turn. */
type TakeTurn = (req: IncomingMessage, res: Response, listener: RequestListener) => void;

type Response = ServerResponse<IncomingMessage> & { readonly req: IncomingMessage };

type Line = { last: Response; waiting: number };

/**
 * Runs the requests of a connection one after another (RFC 9112, section 9.3.2). Node starts every pipelined request at
 * once and holds each answer until its turn, so a client that reads nothing would fill the memory. Two may wait:
 * `tooMany` receives the connection of a third and must close it. A client that waits for its answers notices no
 * difference.
 */
export const inTurn = (tooMany: (socket: Socket) => void): TakeTurn => {
  const lines = new WeakMap<Socket, Line>();
  return (req, res, listener) => {
    const { socket } = req;
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, { last: res, waiting: 0 });
      listener(req, res);
      return;
    }
    const before = line.last;
    line.last = res;
    if (before.writableFinished) {
      listener(req, res);
      return;
    }
    if (line.waiting === WAITING_REQUESTS) {
      tooMany(socket);
      return;
    }
    line.waiting++;
    before.once('close', () => {
      line.waiting--;
      if (!socket.destroyed) listener(req, res);
    });
  };
};

type Arriving = { readonly req: IncomingMessage; bytesRead: number; leftMs: number };

/**
 * The bodies arriving on a server, checked periodically, so that a request needs no timer. A body may fall behind the
 * minimum rate by the grace period, and faster bytes earn back no more than that.
 */
class ArrivingBodies {
  readonly #bounds: Pick<ServerBounds, 'bodyBytesPerSecond' | 'bodyGraceMs'>;
  readonly #tooSlow: (socket: Socket) => void;
  readonly #bySocket = new Map<Socket, Arriving>();

  /** `tooSlow` is called once for each body that falls behind by more than the grace. */
  constructor(bounds: Pick<ServerBounds, 'bodyBytesPerSecond' | 'bodyGraceMs'>, tooSlow: (socket: Socket) => void) {
    this.#bounds = bounds;
    this.#tooSlow = tooSlow;
  }

  begin(req: IncomingMessage): void {
    if (!hasBody(req)) return;
    const { socket } = req;
    this.#bySocket.set(socket, { req, bytesRead: socket.bytesRead, leftMs: this.#bounds.bodyGraceMs });
  }

  /** Checks every body, `passedMs` after the last check. */
  check(passedMs: number): void {
    const { bodyBytesPerSecond, bodyGraceMs } = this.#bounds;
    for (const [socket, arriving] of this.#bySocket) {
      if (arriving.req.complete || socket.destroyed) {
        this.#bySocket.delete(socket);
        continue;
      }
      const wonMs = ((socket.bytesRead - arriving.bytesRead) * 1000) / bodyBytesPerSecond;
      arriving.bytesRead = socket.bytesRead;
      arriving.leftMs = Math.min(bodyGraceMs, arriving.leftMs - passedMs + wonMs);
      if (arriving.leftMs > 0) continue;
      this.#bySocket.delete(socket);
      this.#tooSlow(socket);
    }
  }
}

export type GuardOptions = {
  readonly bounds?: ServerBounds;
  /** The connections of the process. All servers of a process must share it. */
  readonly connections?: ConnectionLimits;
  /** The unread answers of the process. All servers of a process must share it. */
  readonly unread?: UnreadAnswers;
  /** Logs requests and connections refused before they reach a host, and connections that are cut off. */
  readonly log?: EarlyLog;
};

/** The number of excess connections that get an answer; the rest are closed without one. */
const REFUSED_AT_ONCE = 256;

const TOO_MANY: EarlyRefusal = {
  status: 503,
  message: 'Too many connections are open just now; close idle ones, or try again shortly.',
  headers: { 'retry-after': '5' },
};

const TOO_SLOW: EarlyRefusal = { status: 408, message: 'The request took too long to arrive; send it again.' };

const ONE_HOST: EarlyRefusal = { status: 400, message: 'A request of HTTP/1.1 needs one Host header.' };

const NO_TUNNEL: EarlyRefusal = { status: 405, message: 'This server is not a proxy; it opens no tunnels.' };

const NO_EXPECTATION: EarlyRefusal = {
  status: 417,
  message: 'The Expect header may only be 100-continue; remove any other expectation.',
};

const ADDRESS: EarlyRefusal = {
  status: 400,
  message: 'The URL contains characters that must be percent-encoded, such as non-ASCII letters.',
};

const INVALID: EarlyRefusal = { status: 400, message: 'This is not a valid HTTP/1.1 request.' };

/** The refusal of a request that Node's parser rejected. */
const refusalOf = (code: string, { headerBytes }: ServerBounds): EarlyRefusal => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW': {
      const message = `The address and headers of the request are too large; they may have ${headerBytes} bytes together.`;
      return { status: 431, message };
    }
    case 'HPE_INVALID_URL':
      return ADDRESS;
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { status: 413, message: 'The chunks of the body have too many extensions; send none.' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return TOO_SLOW;
    default:
      return INVALID;
  }
};

/** True if another answer could be mistaken for the answer to the connection's last request. */
const isBusy = (last: ServerResponse | undefined): boolean =>
  last !== undefined && (last.headersSent ? !(last.writableFinished && last.req.complete) : last.req.complete);

/** Applies the deadlines and the limits on connections and unread answers to a server. */
const bound = (server: Server, options: GuardOptions): void => {
  const { bounds = SERVER_BOUNDS, connections = new ConnectionLimits(CONNECTION_BOUNDS), log = () => {} } = options;
  const { unread = new UnreadAnswers() } = options;
  server.headersTimeout = bounds.headersMs;
  server.requestTimeout = bounds.requestMs;
  server.keepAliveTimeout = bounds.keepAliveMs;
  // Node closes a connection after this time without traffic. A slow reader causes traffic.
  server.timeout = bounds.idleMs;

  /** The answer to the last request of each connection. */
  const answers = new WeakMap<Socket, ServerResponse>();
  const ended = new WeakSet<Socket>();
  const refuse = (socket: Socket, refusal: EarlyRefusal, code: string): void => {
    // The parser fails again with each further chunk of a request.
    if (ended.has(socket)) return;
    ended.add(socket);
    if (isBusy(answers.get(socket))) socket.destroy();
    else answerEarly(socket, refusal, code, log);
  };

  let refused = 0;
  const turnAway = (socket: Socket): void => {
    if (refused >= REFUSED_AT_ONCE) {
      socket.destroy();
      return;
    }
    refused++;
    socket.once('close', () => refused--);
    answerEarly(socket, TOO_MANY, 'too_many_connections', log);
  };

  // A rejected connection never reaches Node's listeners, so it costs no parser.
  const served = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    if (connections.admit(socket)) for (const serve of served) serve.call(server, socket);
    else turnAway(socket);
  });

  const bodies = new ArrivingBodies(bounds, (socket) => refuse(socket, TOO_SLOW, 'body_too_slow'));
  const checking = setInterval(() => bodies.check(bounds.checkEveryMs), bounds.checkEveryMs).unref();
  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    answers.set(req.socket, res);
    bodies.begin(req);
    unread.watch(res, (socket) => cutOff(socket, 'unread_answers', log));
  });
  server.once('close', () => clearInterval(checking));

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, refusalOf(error.code ?? '', bounds), error.code ?? '');
  });
  server.on('connect', (_req, socket) => refuse(socket as Socket, NO_TUNNEL, 'connect'));
};

/** Closes a connection without an answer, because it has not taken its last answers. */
const cutOff = (socket: Socket, code: string, log: EarlyLog): void => {
  log({ id: randomUUID(), status: 503, code, address: countedAddress(socket.remoteAddress ?? '') });
  socket.destroy();
};

const sendEarly = (
  { socket }: IncomingMessage,
  res: ServerResponse,
  refusal: EarlyRefusal,
  code: string,
  log: EarlyLog,
): void => {
  const id = randomUUID();
  log({ id, status: refusal.status, code, address: countedAddress(socket.remoteAddress ?? '') });
  void sendReply(res, earlyReply(refusal, id));
};

/** The number of Host lines. Node would use the first, and a proxy perhaps another (RFC 9112, section 3.2). */
const hostsOf = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;

/** Creates a Node server within the limits. It answers the requests of a connection in turn. */
export const guardedServer = (listener: RequestListener, options: GuardOptions = {}): Server => {
  const { bounds = SERVER_BOUNDS, log = () => {} } = options;
  const turns = inTurn((socket) => cutOff(socket, 'too_many_waiting', log));
  const answer: RequestListener = (req, res) => {
    const hosts = hostsOf(req);
    if (hosts > 1) sendEarly(req, res, ONE_HOST, 'many_hosts', log);
    else if (hosts === 0 && req.httpVersion === '1.1') sendEarly(req, res, ONE_HOST, 'no_host', log);
    else listener(req, res);
  };
  const server = createServer(
    {
      IncomingMessage: StoppableRequest,
      maxHeaderSize: bounds.headerBytes,
      headersTimeout: bounds.headersMs,
      requestTimeout: bounds.requestMs,
      connectionsCheckingInterval: bounds.checkEveryMs,
      // Node would refuse a request without a Host in its own format, and accept one with two.
      requireHostHeader: false,
    },
    (req, res) => turns(req, res, answer),
  );
  bound(server, options);
  const refuse: RequestListener = (req, res) => sendEarly(req, res, NO_EXPECTATION, 'expectation', log);
  server.on('checkExpectation', (req, res) => turns(req, res, refuse));
  return server;
};
