import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

const run = promisify(execFile);

export const PROJECT = join(import.meta.dirname, '..', '..', '..');

/** A file of the package, as npm packs it. */
export type PackedFile = { readonly path: string; readonly size: number };

declare module 'vitest' {
  export interface ProvidedContext {
    /** The package as a file that npm installs. */
    tarball: string;
    /** The files in it. */
    files: readonly PackedFile[];
    /** A project with only the package. */
    bare: string;
    /** A project with the examples, the optional packages and those that the examples need. */
    full: string;
  }
}

/** The packages of the second project, and their location in this project. */
const FURTHER: readonly (readonly [name: string, from: string])[] = [
  ['@aws-sdk', '.'],
  ['@jimp', '.'],
  ['@prometheus-io', '.'],
  ['@scalar/fastify-api-reference', '.'],
  ['vitest', '.'],
  ['pg', '.'],
  ['@types/pg', '.'],
  ['lmdb', 'test/peers'],
];

const EXAMPLES = ['fetch-mount', 'own-app', 'own-sign-in', 'lmdb-engine', 'use-case-test'];

let root: string | undefined;

export const teardown = async (): Promise<void> => {
  if (root !== undefined) await rm(root, { recursive: true, force: true });
};

/**
 * Packs the package, which builds it unless BUILT says that this was done, and installs it once. The second project is a copy of the first by hard links.
 */
export const setup = async (project: TestProject): Promise<void> => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'account-service-package-')));
  const pack = ['pack', '--json', '--pack-destination', root, ...(process.env['BUILT'] ? ['--ignore-scripts'] : [])];
  const { stdout } = await run('npm', pack, { cwd: PROJECT, maxBuffer: 2 ** 26 });
  // An npm script may have printed lines before.
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.search(/^\[/m)));
  const tarball = join(root, filename);
  const [bare, full] = [join(root, 'bare'), join(root, 'full')];
  await mkdir(bare);
  await writeFile(join(bare, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }\n');
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball], { cwd: bare });
  await run('cp', ['-rl', bare, full]);
  for (const [name, from] of FURTHER) {
    const link = join(full, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(PROJECT, from, 'node_modules', name), link);
  }
  for (const name of EXAMPLES) await cp(join(PROJECT, 'examples', name), join(full, name), { recursive: true });
  project.provide('tarball', tarball);
  project.provide('files', files);
  project.provide('bare', bare);
  project.provide('full', full);
};
