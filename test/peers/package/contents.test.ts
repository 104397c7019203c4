import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { PROJECT } from './entries.ts';

const files = inject('files');
const paths = files.map(({ path }) => path).sort();
const installed = join(inject('consumer'), 'node_modules', 'account-service');

const under = (folder: string): string[] => paths.filter((path) => path.startsWith(`${folder}/`));

/** The sources in the repository, among them those that are not committed yet. */
const sources = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: PROJECT,
  encoding: 'utf8',
}).split('\n');

/** The folders whose modules are built, and those among them that only the functions of AWS use, from a checkout. */
const BUILT = ['adapters', 'application', 'domain', 'ports', 'runtimes', 'test/contracts'];
const UNBUILT = ['adapters/lambda-events/', 'runtimes/lambda/'];

/** The modules of the tests from which the contracts have their data. */
const SUPPORT = ['audited', 'builders', 'gallery/plain-gallery', 'screen-builders'].map(
  (name) => `test/support/${name}.ts`,
);

const isBuilt = (source: string): boolean =>
  source.endsWith('.ts') &&
  !source.endsWith('.d.ts') &&
  (BUILT.some((folder) => source.startsWith(`${folder}/`)) || SUPPORT.includes(source)) &&
  !UNBUILT.some((folder) => source.startsWith(folder));

describe('the packed files', () => {
  test('the package holds these folders and files, and nothing else', () => {
    expect([...new Set(paths.map((path) => path.replace(/\/.*/, '/')))]).toEqual([
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'deploy/',
      'dist/',
      'docs/',
      'examples/',
      'package.json',
      'skills/',
    ]);
  });

  test('the built files are a module, its map and its types for each source, and none is left of an older build', () => {
    const built = sources.filter(isBuilt).map((source) => join('dist', source.slice(0, -'.ts'.length)));
    expect(built.length).toBeGreaterThan(500);
    expect(under('dist')).toEqual(
      built.flatMap((module) => ['.d.ts', '.js', '.js.map'].map((end) => module + end)).sort(),
    );
  });

  test('the other folders hold what the repository has in them', () => {
    for (const folder of ['deploy', 'docs', 'examples', 'skills'])
      expect(under(folder)).toEqual(sources.filter((source) => source.startsWith(`${folder}/`)).sort());
  });

  test('no test is among them but those that an example shows', () => {
    const tests = paths.filter((path) => /\.test\./.test(path));
    expect(tests.filter((path) => !/^examples\/[^/]+\/[^/]+\.test\.ts$/.test(path))).toEqual([]);
  });

  test('no file is larger than 256 KB, and all of them together are smaller than 16 MB', () => {
    expect(files.filter(({ size }) => size > 256 * 1024)).toEqual([]);
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('the source maps', () => {
  test('every module names its map, and every map has the text of the source that the repository has', () => {
    const modules = under('dist').filter((path) => path.endsWith('.js'));
    const wrong = modules.filter((path) => {
      const [, map] = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(join(installed, path), 'utf8')) ?? [];
      if (map === undefined || !paths.includes(join(dirname(path), map))) return true;
      const { sources: of, sourcesContent } = JSON.parse(readFileSync(join(installed, dirname(path), map), 'utf8'));
      const source = normalize(join(dirname(path), of[0]));
      return of.length !== 1 || sourcesContent[0] !== readFileSync(join(PROJECT, source), 'utf8');
    });
    expect(modules.length).toBeGreaterThan(500);
    expect(wrong).toEqual([]);
  });
});
