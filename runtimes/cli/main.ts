import { run } from './program.ts';

/** The operator's tool. Exits 0 where it is done, 1 where it was refused or failed, 2 where it was used wrongly. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever read us has read enough, such as `head`.
    if (error.code !== 'EPIPE') throw error;
  });
}
await run(process.argv.slice(2));
