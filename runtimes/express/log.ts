import { write, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pino, { type Logger } from 'pino';
import type { HostOptions } from '../../adapters/host/host.ts';
import type { EarlyLog } from '../../adapters/http/guarded-server.ts';
import type { Config } from '../configuration/config.ts';

/** The number of characters to buffer before a write, and the time that a line waits for more, in milliseconds. */
const GATHERED = 32 * 1024;
const FLUSH_MS = 250;

/** The maximum number of characters that wait for a slow reader. Lines beyond it are lost, and counted. */
const MOST_HELD = 16 * 1024 * 1024;

/** The pause before a write to a full pipe is retried, in milliseconds. */
const RETRY_MS = 50;

/** The time that the end waits for a slow reader, in milliseconds. */
const PATIENCE_MS = 2000;

const NEWLINE = 0x0a;

const linesIn = (bytes: Buffer): number => bytes.reduce((lines, byte) => lines + (byte === NEWLINE ? 1 : 0), 0);

/**
 * Writes log lines to a file in batches, without waiting. A write hands its bytes to another thread, which costs as
 * much as several lines. Lines that can't be written are lost, because a service continues without its log. A process
 * that exits flushes the buffer.
 */
export class LogLines {
  readonly #fd: number;
  readonly #atExit = (): void => this.#writeHeld();
  #held = '';
  /** The number of lost lines that the log has not reported yet. */
  #untold = 0;
  #lost = 0;
  /** The bytes of the current write that are not written yet; undefined if no write is in progress. */
  #writing: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `fd` is the descriptor of the open file. */
  constructor(fd: number) {
    this.#fd = fd;
    process.once('exit', this.#atExit);
  }

  write(line: string): void {
    if (this.#held.length > MOST_HELD) this.#lose();
    else this.#held += line;
    if (this.#held.length >= GATHERED) this.#hand();
    else this.#timer ??= setTimeout(() => this.#hand(), FLUSH_MS).unref();
  }

  /** The lines that were lost since the process started. */
  get lost(): number {
    return this.#lost;
  }

  /** Writes the rest. Gives a slow reader two seconds. */
  async close(): Promise<void> {
    process.off('exit', this.#atExit);
    const until = performance.now() + PATIENCE_MS;
    this.#hand();
    while (this.#writing && performance.now() < until) {
      await pause(1);
      this.#hand();
    }
  }

  #hand(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing || this.#held === '') return;
    this.#writing = Buffer.from(this.#held + this.#lossTold());
    this.#held = '';
    this.#go();
  }

  #go(): void {
    const bytes = this.#writing as Buffer;
    write(this.#fd, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#go(), RETRY_MS).unref();
        return;
      }
      // The log itself cannot report these lines.
      if (error) this.#lost += linesIn(bytes);
      this.#writing = error || written === bytes.length ? undefined : bytes.subarray(written);
      if (this.#writing) this.#go();
      else if (this.#held.length >= GATHERED) this.#hand();
    });
  }

  #lose(): void {
    this.#untold++;
    this.#lost++;
  }

  /** A line with the number of lost lines, if there are any. */
  #lossTold(): string {
    if (this.#untold === 0) return '';
    const line = {
      level: 40,
      time: Date.now(),
      lost: this.#untold,
      msg: 'lines were lost, because the log was not read',
    };
    this.#untold = 0;
    return `${JSON.stringify(line)}\n`;
  }

  #writeHeld(): void {
    try {
      writeSync(this.#fd, this.#held);
    } catch {
      // The process ends without these lines.
    }
  }
}

/** A logger with the levels and methods of pino. */
export type OwnLogger = Pick<Logger, 'info' | 'warn' | 'error' | 'isLevelEnabled'>;

export type Log = {
  readonly logger: OwnLogger;
  /** The lines that were lost since the process started. */
  readonly linesLost: () => number;
  readonly close: () => Promise<void>;
};

/** Opens the log: JSON lines on standard error. Standard output is for people. */
export const openLog = (level: string): Log => {
  const lines = new LogLines(process.stderr.fd);
  return { logger: pino({ level, base: null }, lines), linesLost: () => lines.lost, close: () => lines.close() };
};

/** A log whose lines go to the logger of another program, which closes it. */
export const logTo = (logger: OwnLogger): Log => ({ logger, linesLost: () => 0, close: async () => {} });

/**
 * Logs requests at `info` and faults at `error`. The log never has keys, queries or bodies, and without `logAddresses`
 * no client addresses.
 */
export const logging = (
  { logger }: Log,
  { logAddresses }: Pick<Config, 'logAddresses'>,
): Pick<HostOptions, 'log' | 'fault'> => ({
  log: ({ id, method, path, address, status, ms, answered }) => {
    if (!logger.isLevelEnabled('info')) return;
    const line = { id, method, path, status, ms, ...(logAddresses && { address }) };
    logger.info(Object.assign(line, answered), 'request');
  },
  fault: (error, requestId) => logger.error({ id: requestId, err: error }, 'fault'),
});

/** Logs requests and connections that were refused before they reached a host, at `info`. */
export const loggingEarly =
  ({ logger }: Log, { logAddresses }: Pick<Config, 'logAddresses'>): EarlyLog =>
  ({ address, ...line }) =>
    logger.info({ ...line, ...(logAddresses && { address }) }, 'refused early');
