import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { projectFiles } from '../../support/project-files.ts';
import { PROJECT } from './cruise.ts';

const COMPILER = join(PROJECT, 'node_modules/@typescript/native/bin/tsc');
/** `npm run typecheck`, `typecheck:infra` and `typecheck:peers`. */
const CONFIGURATIONS = ['tsconfig.json', 'clients', 'infra', 'test/peers'];
/** Samples of the store, and programs that other tests compile in their own projects. */
const ELSEWHERE = ['examples/store', 'test/peers/generators/client.mts'];

/** The files that a configuration checks or reads, as paths from the root. */
const readBy = (configuration: string): string[] =>
  spawnSync(process.execPath, [COMPILER, '-p', configuration, '--listFilesOnly'], { cwd: PROJECT, encoding: 'utf8' })
    .stdout.split('\n')
    .map((path) => path.slice(PROJECT.length + 1));

describe('the check of types', () => {
  let read: Record<string, string[]>;
  beforeAll(() => {
    read = Object.fromEntries(CONFIGURATIONS.map((configuration) => [configuration, readBy(configuration)]));
  });

  test('the check of a fresh clone reads only packages of the root', () => {
    const packages = read['tsconfig.json']?.filter((path) => path.includes('node_modules/')) ?? [];
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter((path) => !path.startsWith('node_modules/'))).toEqual([]);
  });

  test('each TypeScript file is checked by a command', () => {
    const ownPrograms = globSync('examples/*/tsconfig.json', { cwd: PROJECT }).map(dirname);
    const checked = new Set(Object.values(read).flat());
    const unchecked = projectFiles().filter((file) => ['.ts', '.mts'].includes(extname(file)) && !checked.has(file));
    expect(unchecked.filter((file) => ![...ownPrograms, ...ELSEWHERE].some((path) => file.startsWith(path)))).toEqual(
      [],
    );
  });
});
