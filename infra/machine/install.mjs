import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/*
 * `node infra/machine/install.mjs` installs the packages that the service needs at run time, in the versions of the
 * lock file: those of every server, and the optional ones for AWS, thumbnails, the reference page and metrics. It
 * installs no test tools. Then it bundles the server and the command line into `machine.out`, because Node starts a few
 * hundred files faster than a thousand and strips no types there.
 */
const root = new URL('../../', import.meta.url);
const { peerDependenciesMeta, devDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const optional = Object.keys(peerDependenciesMeta)
  .filter((name) => name !== 'vitest')
  .map((name) => `${name}@${devDependencies[name]}`);
const quietly = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
const packages = [...optional, `esbuild@${devDependencies.esbuild}`];
const options = ['install', '--no-save', '--save-prod', ...quietly, ...packages];
const { status } = spawnSync('npm', options, { cwd: root, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

const { build } = await import('esbuild');
await build({
  absWorkingDir: fileURLToPath(root),
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
