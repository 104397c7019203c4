import { keepCompiledCode } from '../composition/compile-cache.ts';

/** The operator's tool. Exits 0 for success, 1 for a refusal or error, 2 for wrong usage. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of the output, such as `head`, has ended.
    if (error.code !== 'EPIPE') throw error;
  });
}
// The tool is imported only now, because the compiled code of earlier imports would not be kept.
keepCompiledCode();
const { run } = await import('./program.ts');
await run(process.argv.slice(2));
