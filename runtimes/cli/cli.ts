import { type CliOptions, setOptions } from './options.ts';

export type { CliOptions } from './options.ts';

/** Ends nothing where the reader of the output, such as `head`, has ended. */
const outliveReaders = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
};

/**
 * Runs one command of the operator's tool: `cli(process.argv.slice(2))`. The environment of the process configures the
 * store, and the result goes to its standard output. It sets the exit code of the process: 0 for success, 1 for a
 * refusal or an error, 2 for wrong usage. `options` holds for the whole process, so that one process runs one tool.
 * Throws RangeError for an engine whose name can't be used.
 */
export const cli = async (argv: readonly string[], options: CliOptions = {}): Promise<void> => {
  outliveReaders();
  setOptions(options);
  // The tool is imported only now, because the compiled code of earlier imports would not be kept.
  const { run } = await import('./program.ts');
  await run(argv);
};
