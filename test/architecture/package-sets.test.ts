import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const PROJECT = join(import.meta.dirname, '..', '..');

type Manifest = {
  readonly version: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
};

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(PROJECT, folder, 'package.json'), 'utf8')) as Manifest;

const packagesOf = (folder: string): string[] => {
  const { dependencies, devDependencies } = manifestOf(folder);
  return Object.keys({ ...dependencies, ...devDependencies });
};

describe('the sets of packages', () => {
  const scripts = Object.entries(manifestOf('.').scripts ?? {});

  test.each(
    scripts,
  )('the script %s requires the packages of infra and test/peers before it runs their programs', (_, script) => {
    for (const [, folder] of script.matchAll(/(?:^|\s)(infra|test\/peers)\/node_modules\//g)) {
      expect(script.split(' && ')).toContain(`node .ci/needs.mjs ${folder}`);
    }
  });

  test.each([
    'infra',
    'test/peers',
  ])('no package of %s is installed for people who only start the service', (folder) => {
    const root = packagesOf('.');
    expect(packagesOf(folder).filter((name) => root.includes(name))).toEqual([]);
  });

  test('the watch script starts the service as npm start does', () => {
    const { dev = '', start } = Object.fromEntries(scripts);
    expect(dev.replace(' --watch --watch-preserve-output', '')).toBe(start);
  });

  test('all packages of a release have one version', () => {
    const files = ['clients/{js,cli}/package.json', 'clients/*/{Cargo,pyproject}.toml'];
    const texts = globSync(files, { cwd: PROJECT }).map((file) => readFileSync(join(PROJECT, file), 'utf8'));
    const versions = texts.map((text) => /^\s*"?version"?(?: =|:) "(.+?)"/m.exec(text)?.[1]);
    expect(versions).toEqual(Array(5).fill(manifestOf('.').version));
  });

  test('a script with missing packages prints the command that installs them, and nothing else', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['.ci/needs.mjs', 'nowhere'], {
      cwd: PROJECT,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe('The packages of nowhere/ are not installed: run "npm ci --prefix nowhere" first.\n');
  });

  test('a script with installed packages continues without a message', () => {
    const { status, stderr } = spawnSync(process.execPath, ['.ci/needs.mjs', '.'], { cwd: PROJECT, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});
