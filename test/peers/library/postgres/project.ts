import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Ran } from '../../../support/cli.ts';
import { PROJECT } from '../../package/entries.ts';
import { EXAMPLE } from './example.ts';

/** The packages that the example's README installs, and the folders where the checks have them. */
const PACKAGES = {
  'account-service': '.',
  pg: 'checks/node_modules/pg',
  '@types/pg': 'checks/node_modules/@types/pg',
  '@types/node': 'node_modules/@types/node',
  vitest: 'node_modules/vitest',
};

/** A project of a stranger: a copy of the example beside the built package. */
export type StrangersProject = {
  readonly folder: string;
  /** Runs a program in a process of its own, which inherits only PATH from this one's environment. */
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ran>;
  readonly remove: () => Promise<void>;
};

export const makeProject = async (): Promise<StrangersProject> => {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-project-'));
  await cp(EXAMPLE, folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
  for (const [name, path] of Object.entries(PACKAGES)) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(PROJECT, path), link);
  }
  const run: StrangersProject['run'] = (args, env = {}) =>
    new Promise((resolve) => {
      const options = { cwd: folder, env: { PATH: process.env['PATH'], ...env }, timeout: 60_000 };
      execFile(process.execPath, args, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : Number(error.code);
        resolve({ code, stdout, stderr, json: () => JSON.parse(stdout) });
      });
    });
  return { folder, run, remove: () => rm(folder, { recursive: true, force: true }) };
};
