import { Writable } from 'node:stream';

/** The head of an answer as the gateway takes it. */
export type AnswerHead = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly multiValueHeaders: Readonly<Record<string, readonly string[]>>;
};

/** They are about a connection that isn't there: the gateway has its own with the client. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'date']);

const HEAD_END = '\r\n\r\n';

const headOf = (text: string): AnswerHead => {
  const [status = '', ...lines] = text.split('\r\n');
  const values: Record<string, string[]> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (!OF_THE_CONNECTION.has(name)) (values[name] ??= []).push(line.slice(colon + 1).trim());
  }
  const entries = Object.entries(values);
  return {
    statusCode: Number(status.split(' ')[1]),
    headers: Object.fromEntries(
      entries.filter(([, all]) => all.length === 1).map(([name, all]) => [name, all[0] ?? '']),
    ),
    multiValueHeaders: Object.fromEntries(entries.filter(([, all]) => all.length > 1)),
  };
};

/**
 * Stands where Node's ServerResponse has its socket: reads the head off the HTTP/1.1 answer that is written to it, and
 * passes the body on, no faster than it is taken.
 */
export class AnswerWire extends Writable {
  readonly #open: (head: AnswerHead) => Writable;
  #head = Buffer.alloc(0);
  #body: Writable | undefined;

  /** `open` gives what the body is written to, once the head is known. */
  constructor(open: (head: AnswerHead) => Writable) {
    super();
    this.#open = open;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#body) {
      this.#body.write(chunk, done);
      return;
    }
    this.#head = Buffer.concat([this.#head, chunk]);
    const end = this.#head.indexOf(HEAD_END);
    if (end === -1) {
      done();
      return;
    }
    this.#body = this.#open(headOf(this.#head.toString('latin1', 0, end)));
    this.#body.once('error', (error: Error) => this.destroy(error));
    // Also where it is empty: the runtime sends the head with the first write, and none without.
    this.#body.write(this.#head.subarray(end + HEAD_END.length), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.#body) this.#body.end(() => done());
    else done(new Error('The answer has no head.'));
  }
}
