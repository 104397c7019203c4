import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, inject, test } from 'vitest';
import { PROJECT } from './setup.ts';

const files = inject('files');
const paths = files.map(({ path }) => path).sort();
const installed = join(inject('bare'), 'node_modules', 'account-service');

test('the package contains the listed folders and files, and nothing else', () => {
  expect([...new Set(paths.map((path) => path.replace(/\/.*/, '/')))]).toEqual([
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'adapters/',
    'dist/',
    'docs/',
    'examples/',
    'infra/',
    'package.json',
  ]);
  expect(paths.filter((path) => /^(?:adapters\/(?!design\/skill\/)|infra\/(?!machine\/))/.test(path))).toEqual([]);
});

test('dist has a module and its types for each source that an entry needs, none for AWS Lambda, and no test', () => {
  const built = paths.filter((path) => path.startsWith('dist/'));
  const sources = built.map((path) => path.replace(/^dist\//, '').replace(/(?:\.d\.ts|\.js)$/, '.ts'));
  const modules = new Set(sources.filter((source) => source.endsWith('.ts')));
  const data = sources.filter((source) => source.endsWith('.json'));
  expect(data).toEqual(['adapters/openapi/examples.json']);
  expect(built.length).toBe(2 * modules.size + data.length);
  expect(sources.filter((source) => !existsSync(join(PROJECT, source)))).toEqual([]);
  expect(sources.filter((source) => /lambda|\.test\.|^infra/.test(source))).toEqual([]);
});

test('the package is smaller than 8 MB without its sample store', () => {
  const counted = files.filter(({ path }) => !path.startsWith('examples/store/'));
  expect(counted.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(8 * 1024 * 1024);
});

/** The guides among the sample store's goods link to files that their buyers receive with them. */
const GOODS = /^examples\/store\/(?:assets|sources)\//;

test('no page in the package links to an omitted file, except those about AWS, which need a checkout', () => {
  const pages = paths.filter((path) => path.endsWith('.md') && !GOODS.test(path));
  expect(pages).toContain('README.md');
  const leftOut = pages.flatMap((page) =>
    [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\((?![a-z][a-z+.-]*:|#)([^)\s#]+)/gi)]
      .map(([, to = '']) => normalize(join(dirname(page), decodeURI(to))))
      .filter((target) => existsSync(join(PROJECT, target)) && !existsSync(join(installed, target)))
      .filter((target) => !target.startsWith('infra/'))
      .map((target) => `${page}: ${target}`),
  );
  expect(leftOut).toEqual([]);
});
