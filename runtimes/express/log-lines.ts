import pino from 'pino';

/** Bytes of lines to gather before a write, and milliseconds that a line waits for more. */
const GATHERED = 32 * 1024;
const FLUSH_MS = 250;

/**
 * Writes log lines to standard error, many at once and without waiting. A write hands its bytes to another thread, which
 * costs as much as a dozen lines.
 */
export class LogLines {
  readonly #file = pino.destination({ fd: process.stderr.fd, sync: false, contentMode: 'buffer' });
  #held = '';
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    process.once('exit', () => this.close());
  }

  write(line: string): void {
    this.#held += line;
    if (this.#held.length >= GATHERED) this.#hand();
    else this.#timer ??= setTimeout(() => this.#hand(), FLUSH_MS).unref();
  }

  /** Writes what is left, and waits for it. */
  close(): void {
    this.#hand();
    this.#file.flushSync();
  }

  #hand(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#held === '') return;
    this.#file.write(Buffer.from(this.#held) as never);
    this.#held = '';
  }
}
