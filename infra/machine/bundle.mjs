import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/*
 * `node infra/machine/bundle.mjs` bundles the server and the command line into `machine.out`, without the packages. Node
 * strips no types there and opens fewer files, so programs start faster.
 */
await build({
  absWorkingDir: fileURLToPath(new URL('../../', import.meta.url)),
  entryPoints: {
    server: 'runtimes/express/main.ts',
    cli: 'runtimes/cli/main.ts',
    'page-thread': 'adapters/design/pages/thread.ts',
  },
  outdir: 'machine.out',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  packages: 'external',
  keepNames: true,
  // With NODE_OPTIONS=--enable-source-maps, stack traces name the lines of the sources; without it, starts are faster.
  sourcemap: true,
  sourcesContent: false,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  logLevel: 'warning',
});
