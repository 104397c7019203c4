/**
 * The deadlines of a server's connections. A cap on the whole time of a request would cut off a large upload by a slow
 * line, so that bodies have a least rate, and answers a longest pause.
 */
export type ServerBounds = {
  /** Bytes of the request line and headers of one request. */
  readonly headerBytes: number;
  /** Milliseconds for the request line and headers to arrive, from the connection or the request's first byte. */
  readonly headersMs: number;
  /** Milliseconds for a whole request. It is the last resort: `bodyGraceMs` ends a slow request long before. */
  readonly requestMs: number;
  /** Bytes a second at which a body has to arrive once `bodyGraceMs` are used up. */
  readonly bodyBytesPerSecond: number;
  /** Milliseconds by which a body may fall behind its least rate, at its start or later. */
  readonly bodyGraceMs: number;
  /** Milliseconds without a byte in either direction. A reader who takes no byte of an answer is cut off after them. */
  readonly idleMs: number;
  /** Milliseconds for which a connection stays open between two requests. */
  readonly keepAliveMs: number;
  /** Milliseconds between two looks at the deadlines of requests. */
  readonly checkEveryMs: number;
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * The bounds of the service's own servers. An idle connection outlives the 60 seconds after which load balancers drop
 * theirs; the other way round, a balancer would now and then send a request into a closing connection. The largest
 * form has 40 MiB, which takes 86 minutes at the least rate. Readers of bodies answer 408 after 15 seconds by
 * themselves (`adapters/host/body-pace.ts`); the server waits twice as long before it cuts a request off.
 */
export const SERVER_BOUNDS: ServerBounds = {
  headerBytes: 16 * 1024,
  headersMs: 20 * SECOND,
  requestMs: 90 * MINUTE,
  bodyBytesPerSecond: 8 * 1024,
  bodyGraceMs: 30 * SECOND,
  idleMs: MINUTE,
  keepAliveMs: 75 * SECOND,
  checkEveryMs: 5 * SECOND,
};
