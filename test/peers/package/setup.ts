import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { PROJECT } from './entries.ts';

const run = promisify(execFile);

/** A file of the package, as npm packs it. */
export type PackedFile = { readonly path: string; readonly size: number };

declare module 'vitest' {
  export interface ProvidedContext {
    /** The package as a file that npm installs. */
    tarball: string;
    /** The files in it. */
    files: readonly PackedFile[];
    /** A project that has nothing but the package and vitest, which the contracts need. */
    consumer: string;
  }
}

let root: string | undefined;

export const teardown = async (): Promise<void> => {
  if (root !== undefined) await rm(root, { recursive: true, force: true });
};

/** Packs the package, which builds it, and installs it into an empty project. */
export const setup = async (project: TestProject): Promise<void> => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'account-service-package-')));
  const pack = ['pack', '--json', '--pack-destination', root];
  const { stdout } = await run('npm', pack, { cwd: PROJECT, maxBuffer: 2 ** 26 });
  // A script of npm may have printed before.
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.search(/^\[/m)));
  const tarball = join(root, filename);
  const consumer = join(root, 'consumer');
  await mkdir(consumer);
  await writeFile(join(consumer, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n');
  const { devDependencies } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
  const quietly = ['--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...quietly, tarball, `vitest@${devDependencies.vitest}`], { cwd: consumer });
  project.provide('tarball', tarball);
  project.provide('files', files);
  project.provide('consumer', consumer);
};
