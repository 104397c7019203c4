import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const PREFIX = '/2018-06-01/runtime/';

/** The time limit of a function that answers requests. A stream has no limit here once it has started. */
const TIMEOUT_MS = 29_000;

/** The result of a function: JSON in one piece, a stream of bytes, or an error. */
export type FunctionAnswer =
  | { readonly kind: 'result'; readonly json: string }
  | { readonly kind: 'stream'; readonly body: IncomingMessage }
  | { readonly kind: 'error'; readonly json: string };

type Waiting = { readonly id: string; readonly answered: (answer: FunctionAnswer) => void };

const textOf = async (req: IncomingMessage): Promise<string> =>
  Buffer.concat(await Array.fromAsync(req as AsyncIterable<Buffer>)).toString();

/**
 * The Runtime API of one instance of a function, as AWS documents it for custom runtimes. The function fetches one
 * event at a time from it, and posts the results to it.
 */
export class RuntimeApi {
  readonly #server = createServer((req, res) => void this.#serve(req, res));
  #next: ServerResponse | undefined;
  #event: string | undefined;
  #waiting: Waiting | undefined;
  readonly #timeoutMs: number;

  constructor(timeoutMs = TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
  }

  /** Starts the server and returns its address as `host:port`. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  invoke(event: string): Promise<FunctionAnswer> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.fail('The function timed out.'), this.#timeoutMs);
      const answered = (answer: FunctionAnswer): void => {
        clearTimeout(timer);
        resolve(answer);
      };
      this.#waiting = { id: randomUUID(), answered };
      this.#event = event;
      this.#hand();
    });
  }

  /** Ends the running call with an error, for a function that can't. */
  fail(why: string): void {
    this.#take()?.answered({ kind: 'error', json: JSON.stringify({ errorMessage: why }) });
  }

  #take(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }

  /** Passes the event to the function, if both are ready. */
  #hand(): void {
    if (!this.#next || this.#event === undefined || !this.#waiting) return;
    this.#next.writeHead(200, {
      'Content-Type': 'application/json',
      'Lambda-Runtime-Aws-Request-Id': this.#waiting.id,
      'Lambda-Runtime-Deadline-Ms': String(Date.now() + this.#timeoutMs),
      'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:eu-west-1:000000000000:function:tested',
      'Lambda-Runtime-Trace-Id': 'Root=1-00000000-000000000000000000000000;Sampled=0',
    });
    this.#next.end(this.#event);
    this.#next = undefined;
    this.#event = undefined;
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const call = req.url?.slice(PREFIX.length) ?? '';
    if (call === 'invocation/next') {
      this.#next = res;
      this.#hand();
      return;
    }
    const isStream = req.headers['lambda-runtime-function-response-mode'] === 'streaming';
    if (call.endsWith('/response') && isStream) {
      // Accepts the stream only after its end, so that the function stays busy until then.
      req.once('end', () => res.writeHead(202).end('{}'));
      this.#take()?.answered({ kind: 'stream', body: req });
      return;
    }
    const json = await textOf(req);
    res.writeHead(202).end('{}');
    this.#take()?.answered({ kind: call.endsWith('/response') ? 'result' : 'error', json });
  }
}
