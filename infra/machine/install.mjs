import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/*
 * `node infra/machine/install.mjs` installs the packages that the service needs at run time, in the versions of the
 * lock file: those of every server, and the optional ones for AWS, thumbnails, the reference page and metrics. It
 * installs no test tools. Then it bundles the program.
 */
const root = new URL('../../', import.meta.url);
const { peerDependenciesMeta, devDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const optional = Object.keys(peerDependenciesMeta)
  .filter((name) => name !== 'vitest')
  .map((name) => `${name}@${devDependencies[name]}`);
const quietly = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
const packages = [...optional, `esbuild@${devDependencies.esbuild}`];
const options = ['install', '--no-save', '--save-prod', ...quietly, ...packages];
const run = (program, args) => spawnSync(program, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
process.exitCode = run('npm', options) || run(process.execPath, ['infra/machine/bundle.mjs']);
