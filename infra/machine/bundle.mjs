import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/*
 * `node infra/machine/bundle.mjs [FOLDER]` bundles the server and the command line into a folder of the project;
 * `machine.out` by default. Node strips no types there and opens fewer files, so programs start faster.
 */
const root = new URL('../../', import.meta.url);
const { dependencies, peerDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

/** The packages that each start loads, because each file costs a start some time. All others stay in `node_modules`. */
const BUNDLED = ['canonicalize', 'inversify', 'lru-cache', 'reflect-metadata', 'semver', 'zod'];

await build({
  absWorkingDir: fileURLToPath(root),
  entryPoints: {
    server: 'runtimes/express/main.ts',
    cli: 'runtimes/cli/main.ts',
    'page-thread': 'adapters/design/pages/thread.ts',
  },
  outdir: process.argv[2] ?? 'machine.out',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  external: Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !BUNDLED.includes(name)),
  // With NODE_OPTIONS=--enable-source-maps, stack traces name the lines of the sources; without it, starts are faster.
  sourcemap: true,
  sourcesContent: false,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  logLevel: 'warning',
});
