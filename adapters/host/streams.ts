import { Readable } from 'node:stream';
import type { LimitStreams } from '../../application/access/limit-rate.ts';
import type { Owner } from '../../domain/access/principal.ts';
import { STREAM_RETRY_SECONDS } from '../../domain/access/rate-limit.ts';
import { refuse } from '../../domain/shared/outcome.ts';
import { type ByteSource, isStreamed, type Reply, refusalReply } from './reply.ts';

/** The bytes of a source as they come; it fails where the source does, or gives more or fewer bytes than promised. */
class Watched extends Readable {
  readonly #source: ByteSource;
  readonly #fault: (error: unknown) => void;
  #sent = 0;
  #isRead = false;
  /** A failure before the first read, when nobody listens yet. */
  #early: Error | undefined;

  constructor(source: ByteSource, fault: (error: unknown) => void) {
    super();
    this.#source = source;
    this.#fault = fault;
    source.stream.on('error', (error) => this.#fail(error));
  }

  override _read(): void {
    const { stream } = this.#source;
    if (!this.#isRead) {
      this.#isRead = true;
      if (this.#early) {
        this.#fail(this.#early);
        return;
      }
      const ended = (): void => this.#ended();
      stream
        .on('data', (chunk: Buffer) => this.#take(chunk))
        .once('end', ended)
        .once('close', ended);
      if (stream.destroyed) ended();
    }
    stream.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#source.stream.destroy();
    done(error);
  }

  #take(chunk: Buffer): void {
    const { length, stream } = this.#source;
    this.#sent += chunk.length;
    if (this.#sent > length) this.#fail(new Error(`An object gave more than the ${length} bytes to send.`));
    else if (!this.push(chunk)) stream.pause();
  }

  #ended(): void {
    const { length } = this.#source;
    if (this.#sent === length) this.push(null);
    else this.#fail(new Error(`An object gave ${this.#sent} of the ${length} bytes to send.`));
  }

  /** A failure after the reader has gone harms nobody. */
  #fail(error: Error): void {
    if (this.destroyed) return;
    if (!this.#isRead) {
      this.#early = error;
      return;
    }
    this.#fault(error);
    this.destroy(error);
  }
}

/**
 * The source, checked against the length that the client was told. More or fewer bytes are a fault and end the
 * connection: the client would otherwise take a part for the whole, or the surplus for the next reply. `fault` gets such
 * faults and those of the source; a client that goes away is no fault. `ended` is called once, at every end.
 */
export const watched = (source: ByteSource, ended: () => void, fault: (error: unknown) => void): ByteSource => ({
  length: source.length,
  stream: new Watched(source, fault).once('close', ended),
});

/** Lets a reply pass, or takes its place. A reply whose body is counted says how its end is told (`ended`). */
export type BoundReply = (reply: Reply, address: () => string) => Promise<Reply>;

/** Bytes of a body that fit in the buffers between a function and the gateway, and so keep no instance busy. */
const BUFFERED_BYTES = 64 * 1024;

const refusal = (): Reply => {
  const reply = refusalReply(
    refuse('rate_limited', { message: 'Too many files at once; wait until one has arrived.' }),
  );
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(STREAM_RETRY_SECONDS) } };
};

/** The account that asked; the address where no account did. */
const ownerIn = ({ answered }: Reply, address: () => string): Owner => {
  const id = answered?.accountId ?? null;
  return id === null ? { kind: 'address', address: address() } : { kind: 'account', id };
};

/** A gate for the streams of one caller. A stream that it refuses is closed unread. */
export const boundStreams = (limit: LimitStreams): BoundReply => {
  const counted = async (reply: Reply, { stream }: ByteSource, address: () => string): Promise<Reply> => {
    const ended = await limit(ownerIn(reply, address)).catch((fault: unknown) => {
      stream.destroy();
      throw fault;
    });
    if (ended) return { ...reply, ended };
    stream.destroy();
    const { answered } = reply;
    return { ...refusal(), ...(answered && { answered: { ...answered, code: 'rate_limited' } }) };
  };
  return async (reply, address) => {
    const { body } = reply;
    return isStreamed(body) && body.length > BUFFERED_BYTES ? counted(reply, body, address) : reply;
  };
};
