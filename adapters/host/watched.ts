import { Readable } from 'node:stream';
import type { ByteSource } from './reply.ts';

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
