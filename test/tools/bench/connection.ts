import { connect, type Socket } from 'node:net';

export type Shot = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

type Waiting = { readonly done: (body: Buffer) => void; readonly failed: (error: Error) => void };

const HEAD_END = '\r\n\r\n';

const wire = ({ method, path, headers, body = '' }: Shot): string => {
  let head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  return `${head}\r\n${body}`;
};

/**
 * A persistent connection for one request at a time, with minimal work, because the client shares the machine with the
 * measured server.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #statuses: readonly number[];
  #waiting: Waiting | undefined;
  #parts: Buffer[] = [];
  #seen = 0;
  #wanted = -1;
  #bodyFrom = 0;

  private constructor(socket: Socket, statuses: readonly number[]) {
    this.#socket = socket;
    this.#statuses = statuses;
    socket.on('data', (part: Buffer) => this.#read(part));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('The server closed a connection.')));
  }

  /** Opens a connection on which any other status than `statuses` is an error. */
  static open(port: number, statuses: readonly number[] = [200]): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Connection(socket.off('error', reject), statuses)));
    });
  }

  /** Sends a request. `done` receives the complete body of the response. */
  send(shot: Shot, done: (body: Buffer) => void, failed: (error: Error) => void): void {
    this.#waiting = { done, failed };
    this.#socket.write(wire(shot));
  }

  ask(shot: Shot): Promise<Buffer> {
    return new Promise((resolve, reject) => this.send(shot, resolve, reject));
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #read(part: Buffer): void {
    this.#parts.push(part);
    this.#seen += part.length;
    if (this.#wanted < 0 && !this.#readHead(part)) return;
    if (this.#seen < this.#wanted) return;
    const whole = this.#parts.length === 1 ? part : Buffer.concat(this.#parts);
    const waiting = this.#waiting;
    const body = whole.subarray(this.#bodyFrom);
    this.#waiting = undefined;
    this.#parts = [];
    this.#seen = 0;
    this.#wanted = -1;
    waiting?.done(body);
  }

  /** Reads the status and the length of a response; false if it has no length. */
  #readHead(part: Buffer): boolean {
    const head = part.toString('latin1', 0, 2048);
    const end = head.indexOf(HEAD_END);
    const length = /content-length: (\d+)/i.exec(head)?.[1];
    if (end < 0 || length === undefined || !this.#statuses.includes(Number(head.slice(9, 12)))) {
      this.#fail(new Error(`The server answered ${head.slice(0, 60)}.`));
      return false;
    }
    this.#bodyFrom = end + HEAD_END.length;
    this.#wanted = this.#bodyFrom + Number(length);
    return true;
  }

  #fail(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.failed(error);
  }
}
