import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { countedAddress } from '../../domain/access/rate-limit.ts';
import { ConcurrencyLimit } from '../host/concurrency-limit.ts';

/**
 * The deadlines of a server's connections. A limit on the duration of a request would cut off a large upload over a
 * slow line, so bodies have a minimum rate, and answers a maximum pause.
 */
export type ServerBounds = {
  /** The maximum size of a request's line and headers, in bytes. */
  readonly headerBytes: number;
  /** Milliseconds for the request line and headers to arrive, from the connection or the request's first byte. */
  readonly headersMs: number;
  /** Milliseconds for a whole request. It is a last resort: `bodyGraceMs` ends a slow request long before. */
  readonly requestMs: number;
  /** Minimum bytes per second of a body after `bodyGraceMs`. */
  readonly bodyBytesPerSecond: number;
  /** Milliseconds by which a body may fall behind its minimum rate, at any point. */
  readonly bodyGraceMs: number;
  /** Milliseconds without a byte in either direction, after which a stalled reader is cut off. */
  readonly idleMs: number;
  /** Milliseconds for which a connection stays open between requests. */
  readonly keepAliveMs: number;
  /** Milliseconds between checks of request deadlines. */
  readonly checkEveryMs: number;
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * The limits of the service's own servers. An idle connection outlives the 60 seconds after which load balancers close
 * theirs; otherwise a balancer would now and then send a request into a closing connection. The largest form has 40
 * MiB, which takes 86 minutes at the minimum rate. Readers of bodies answer 408 after 15 seconds themselves
 * (`adapters/host/body-pace.ts`); the server waits twice as long before it cuts a request off.
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

export type ConnectionBounds = {
  /** The maximum number of open connections of a process. */
  readonly all: number;
  /** The same for one IP address; an IPv6 /64 network counts as one address. */
  readonly perAddress: number;
};

/**
 * The default limits of a process. A browser opens six connections to a host, and 256 serve a whole office behind one
 * address. An idle connection takes about 10 KB, so 4,096 take some 40 MB.
 */
export const CONNECTION_BOUNDS: ConnectionBounds = { all: 4096, perAddress: 256 };

/**
 * The connections of a process, across its servers. An address for which `isExempt` returns true, such as a trusted
 * proxy's, carries many clients' requests and counts only toward the process's limit.
 */
export class ConnectionLimits {
  readonly #open: ConcurrencyLimit;
  readonly #isExempt: (address: string) => boolean;
  #refused = 0;

  constructor({ all, perAddress }: ConnectionBounds, isExempt: (address: string) => boolean = () => false) {
    this.#open = new ConcurrencyLimit({ all, ofOwner: perAddress });
    this.#isExempt = isExempt;
  }

  /** True if the connection is within the bounds. It then counts until it closes. */
  admit(socket: Socket): boolean {
    const { remoteAddress = '' } = socket;
    const end = this.#open.begin(this.#isExempt(remoteAddress) ? undefined : countedAddress(remoteAddress));
    if (end) socket.once('close', end);
    else this.#refused++;
    return end !== undefined;
  }

  /** The connections that currently count. */
  get open(): number {
    return this.#open.running;
  }

  /** The number of connections refused over the limits since the process started. */
  get refused(): number {
    return this.#refused;
  }
}

/** The maximum size of complete answers that a process holds for slow readers. */
const UNREAD_BYTES = 64 * 1024 * 1024;

/** The unread answers of one address, oldest first. */
type AddressAnswers = {
  bytes: number;
  readonly answers: Map<ServerResponse, { readonly socket: Socket; readonly bytes: number }>;
};

/**
 * The complete answers that the connections of a process have not taken yet. Such an answer waits in memory until the
 * network takes it, so stalled readers could fill the memory with large answers. Over the limit, the address with the
 * most bytes loses its oldest connection, so a stalled reader cuts off nobody else.
 */
export class UnreadAnswers {
  readonly #bytes: number;
  readonly #byAddress = new Map<string, AddressAnswers>();
  #count = 0;
  #held = 0;

  constructor(bytes = UNREAD_BYTES) {
    this.#bytes = bytes;
  }

  /** Watches an answer from before its end. `cutOff` receives connections to close, of this answer or others. */
  watch(res: ServerResponse, cutOff: (socket: Socket) => void): void {
    res.once('prefinish', () => {
      const { socket } = res;
      // The network takes nearly every answer immediately.
      if (socket === null || socket.writableLength === 0) return;
      this.#hold(res, socket);
      // A single answer over the limit must still be delivered.
      while (this.#held > this.#bytes && this.#count > 1) cutOff(this.#takeOldest());
    });
  }

  get bytes(): number {
    return this.#held;
  }

  #hold(res: ServerResponse, socket: Socket): void {
    const address = countedAddress(socket.remoteAddress ?? '');
    const held = this.#byAddress.get(address) ?? { bytes: 0, answers: new Map() };
    const bytes = socket.writableLength;
    held.answers.set(res, { socket, bytes });
    held.bytes += bytes;
    this.#byAddress.set(address, held);
    this.#held += bytes;
    this.#count++;
    res.once('close', () => this.#release(address, res));
  }

  #release(address: string, res: ServerResponse): void {
    const held = this.#byAddress.get(address);
    const answer = held?.answers.get(res);
    if (!held || !answer) return;
    held.answers.delete(res);
    held.bytes -= answer.bytes;
    this.#held -= answer.bytes;
    this.#count--;
    if (held.answers.size === 0) this.#byAddress.delete(address);
  }

  #takeOldest(): Socket {
    const [address, { answers }] = this.#byAddress.entries().reduce((a, b) => (b[1].bytes > a[1].bytes ? b : a));
    const [res, { socket }] = answers.entries().next().value as [ServerResponse, { readonly socket: Socket }];
    this.#release(address, res);
    return socket;
  }
}
