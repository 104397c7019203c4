import { connect, type Socket } from 'node:net';

/** A connection that sends the given bytes, and records everything that it receives. */
export class RawConnection {
  readonly socket: Socket;
  #got = '';
  readonly #closed: Promise<unknown>;

  constructor(url: string, from?: string) {
    const { port, hostname } = new URL(url);
    this.socket = connect({ port: Number(port), host: hostname, ...(from && { localAddress: from }) });
    this.socket.on('data', (chunk) => {
      this.#got += chunk.toString('latin1');
    });
    // A reset ends a connection like any other close.
    this.socket.on('error', () => {});
    this.#closed = new Promise((resolve) => this.socket.once('close', resolve));
  }

  send(...lines: string[]): this {
    this.socket.write(lines.join('\r\n'));
    return this;
  }

  /** Everything received until the server closed the connection. */
  async untilClosed(): Promise<string> {
    await this.#closed;
    return this.#got;
  }

  get got(): string {
    return this.#got;
  }
}

/** The status, headers and body of the first response in a text. */
export const answerIn = (text: string) => {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [line = '', ...rest] = head.split('\r\n');
  const headers = Object.fromEntries(
    rest.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 1).trim()]),
  );
  return { status: Number(line.split(' ')[1]), headers, body };
};
