import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, inject, test } from 'vitest';
import { readText } from '../../tools/documents/read.ts';

const installed = join(inject('consumer'), 'node_modules', 'account-service');

/** The skill and the guides among the goods of the sample store link to files that their buyers get beside them. */
const GOODS = /^examples\/store\/(?:assets|sources)\//;

const pages = inject('files')
  .map(({ path }) => path)
  .filter((path) => path.endsWith('.md') && !GOODS.test(path))
  .sort();

/** The relative links of a page that lead to nothing in the package, each with its line. */
const deadIn = (page: string, source: string): string[] =>
  readText(page, source)
    .links.filter(({ text }) => !/^(?:[a-z][a-z+.-]*:|#)/i.test(text))
    .filter(({ text }) => {
      const target = normalize(join(dirname(page), decodeURI(text).split('#')[0] ?? ''));
      return target.startsWith('..') || !existsSync(join(installed, target));
    })
    .map(({ line, text }) => `${page}, line ${line}: ${text}`);

test('each relative link of a page in the package leads to a file or a folder in the package', () => {
  expect(pages).toContain('README.md');
  expect(pages).toContain('docs/extending.md');
  expect(pages.flatMap((page) => deadIn(page, readFileSync(join(installed, page), 'utf8')))).toEqual([]);
});

test('the check of the links finds one that leads into a folder that is not packed', () => {
  expect(deadIn('docs/a.md', '[a](../test/peers/package) [b](../README.md#start-it) [c](adr)')).toEqual([
    'docs/a.md, line 1: ../test/peers/package',
  ]);
});
