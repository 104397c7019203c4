import { execFile } from 'node:child_process';
import { oneLine } from '../configuration/installation.ts';
import { impatience } from './room.ts';

/** Prints the reason of a failed start or stop in one line, and exits with 1; with 0 if a signal has ended its wait. */
const fail = (error: unknown): never => {
  if (impatience.signal.aborted && (error as Error).name === 'AbortError') process.exit(0);
  process.stderr.write(`${oneLine(error)}\n`);
  process.exit(1);
};

/** The time that a start may still take after a signal, in milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * The time, in milliseconds, within which a repeated signal counts as the same: npm forwards the one that Ctrl+C
 * already sends.
 */
const SAME_SIGNAL_MS = 1000;

/** A server that can be stopped. */
export type Stoppable = { readonly stop: (isSucceeded?: boolean) => Promise<void> };

/** Notifies systemd, if it waits for that, that this process now serves requests (`Type=notify`). */
const tellReady = ({ NOTIFY_SOCKET, PATH }: NodeJS.ProcessEnv): void => {
  if (NOTIFY_SOCKET === undefined) return;
  execFile('systemd-notify', ['--ready'], { env: { NOTIFY_SOCKET, PATH } }, (error) => {
    if (error) process.stderr.write(`${oneLine(error)}\n`);
  });
};

/**
 * Runs a server as the whole process, until SIGTERM or SIGINT; then the process exits with 0. A start that fails prints
 * the reason in one line and exits with 1. The signal handlers are set before the start, because a signal may arrive
 * during it: the server then stops as soon as it is up, or at once if it waits. A second signal, more than a second
 * later, ends the process immediately. SIGUSR2 means that another process serves the same sockets, so that open
 * downloads may finish.
 */
export const untilStopped = (starting: Promise<Stoppable>): void => {
  let stopping: number | undefined;
  const end = async (isSucceeded: boolean, impatient?: NodeJS.Timeout): Promise<void> => {
    const running = await starting;
    clearTimeout(impatient);
    await running.stop(isSucceeded);
    process.exit(0);
  };
  process.on('SIGUSR2', () => void end(true).catch(fail));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping !== undefined) {
        if (performance.now() - stopping > SAME_SIGNAL_MS) fail(new Error(`Ended at once, after a second ${signal}.`));
        return;
      }
      stopping = performance.now();
      impatience.abort();
      const impatient = setTimeout(
        () => fail(new Error(`The start did not end within a minute after ${signal}.`)),
        PATIENCE_MS,
      );
      end(false, impatient).catch(fail);
    });
  }
  starting.then(() => tellReady(process.env)).catch(fail);
};
