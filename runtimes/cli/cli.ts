import { type CliOptions, setOptions } from './options.ts';

export type { CliOptions } from './options.ts';

/** Goes on if the reader of the output, such as `head`, has exited, and ends if the output can't be written. */
const outliveReaders = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      process.stderr.write(`The output can't be written (${error.code}), and is not complete.\n`);
      process.exit(1);
    });
  }
};

/**
 * Runs one command of the operator's tool: `cli(process.argv.slice(2))`. The environment of the process configures the
 * store, and the result goes to its standard output. It sets the exit code of the process: 0 for success, 1 for a
 * refusal or an error, 2 for wrong usage. `options` apply to the whole process, so a process runs one tool. Throws
 * RangeError for an invalid engine name.
 */
export const cli = async (argv: readonly string[], options: CliOptions = {}): Promise<void> => {
  outliveReaders();
  setOptions(options);
  // The tool is imported only here, because the compile cache does not cover earlier imports.
  const { run } = await import('./program.ts');
  await run(argv);
};
