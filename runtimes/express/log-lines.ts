import pino from 'pino';

/** Characters of lines to gather before a write, and milliseconds that a line waits for more. */
const GATHERED = 32 * 1024;
const FLUSH_MS = 250;

/**
 * Writes log lines to a file, many at once and without waiting. A write hands its bytes to another thread, which costs
 * as much as several lines. A process that exits writes what it holds.
 */
export class LogLines {
  readonly #file: ReturnType<typeof pino.destination>;
  readonly #atExit = (): void => this.close();
  #held = '';
  #timer: NodeJS.Timeout | undefined;

  /** `fd` is the descriptor of the open file. */
  constructor(fd: number) {
    this.#file = pino.destination({ fd, sync: false, contentMode: 'buffer' });
    process.once('exit', this.#atExit);
  }

  write(line: string): void {
    this.#held += line;
    if (this.#held.length >= GATHERED) this.#hand();
    else this.#timer ??= setTimeout(() => this.#hand(), FLUSH_MS).unref();
  }

  /** Writes what is left, and waits for it. */
  close(): void {
    process.off('exit', this.#atExit);
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
