import { type Collected, collect, type Told } from './collect.ts';
import { RunHeld } from './design-api.ts';
import { readOptions, USAGE, UsageError } from './options.ts';

/** Exit codes: all is well, the collection failed, wrong usage, another run is open, the replay found problems. */
const EXIT = { done: 0, failed: 1, usage: 2, held: 3, problems: 4, stopped: 130 } as const;

const openTold = (isQuiet: boolean): Told => {
  const { stderr } = process;
  if (isQuiet) return { step: () => {}, note: () => {} };
  if (!stderr.isTTY) return { step: () => {}, note: (line) => void stderr.write(`${line}\n`) };
  return {
    step: (line) => void stderr.write(`\r\x1b[K${line.slice(0, (stderr.columns ?? 80) - 1)}`),
    note: (line) => void stderr.write(`\r\x1b[K${line}\n`),
  };
};

const textOf = ({ run, captures, complaints, gallery }: Collected): string => {
  const { screens_added, screens_changed, screens_unchanged } = run.replay ?? {};
  return [
    `Run ${run.id}: ${captures.ok} pages captured, ${captures.redirected} redirected, ${captures.failed} failed.`,
    ...complaints.map((line) => `  ${line}`),
    `Screens: ${screens_added} added, ${screens_changed} changed, ${screens_unchanged} unchanged.`,
    `Problems of the replay: ${run.replay?.problems ?? 0}.`,
    ...run.problems.map(({ capture, code, message }) => `  capture ${capture}, ${code}: ${message}`),
    `Gallery: ${gallery}`,
    '',
  ].join('\n');
};

const main = async (): Promise<number> => {
  const options = await readOptions(process.argv.slice(2), process.env);
  if (options === null) {
    process.stdout.write(USAGE);
    return EXIT.done;
  }
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopped.signal.aborted) process.exit(EXIT.stopped);
      stopped.abort();
    });
  }
  const told = openTold(options.json);
  try {
    const collected = await collect(options, stopped.signal, told);
    told.step('');
    process.stdout.write(options.json ? `${JSON.stringify(collected)}\n` : textOf(collected));
    return collected.run.replay?.problems || collected.captures.failed ? EXIT.problems : EXIT.done;
  } catch (error) {
    if (stopped.signal.aborted) {
      told.note('Stopped; the run is failed.');
      return EXIT.stopped;
    }
    throw error;
  }
};

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof UsageError) {
    process.stderr.write(`\n${USAGE}`);
    return EXIT.usage;
  }
  return error instanceof RunHeld ? EXIT.held : EXIT.failed;
});
