import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Doc, PROJECT, readDocuments, readText } from './read.ts';

const documents = readDocuments();
const byName = new Map(documents.map((doc) => [doc.name, doc]));

const isOutside = (link: string): boolean => /^[a-z][a-z+.-]*:/i.test(link);

/** The links of a document that lead to no file, or to no heading of one. */
const brokenIn = (doc: Doc): string[] =>
  doc.links
    .filter(({ text }) => !isOutside(text))
    .filter(({ text }) => {
      const [path = '', anchor] = decodeURI(text).split('#');
      const target = path === '' ? doc.name : normalize(join(dirname(doc.name), path));
      if (target.startsWith('..') || !existsSync(join(PROJECT, target))) return true;
      const headings = target === doc.name ? doc.anchors : byName.get(target)?.anchors;
      return anchor !== undefined && !headings?.has(anchor);
    })
    .map(({ line, text }) => `line ${line}: ${text}`);

test.each(
  documents.map((doc) => [doc.name, doc] as const),
)('each link of %s leads to a file and a heading', (_, doc) => {
  expect(brokenIn(doc)).toEqual([]);
});

describe('the check of links', () => {
  test.each([
    ['a file that is not there', '[a](nothing.md)', 'line 3: nothing.md'],
    ['a heading that is not there', '[a](README.md#nothing)', 'line 3: README.md#nothing'],
    ['a place outside the project', '[a](../a.md)', 'line 3: ../a.md'],
    ['a heading of its own that is not there', '[a](#titles)', 'line 3: #titles'],
  ])('the check finds %s', (_, link, found) => {
    expect(brokenIn(readText('README.md', `# Title\n\n${link}\n`))).toEqual([found]);
  });

  test('the check allows a heading with code and signs, also the second of the same name', () => {
    expect(brokenIn(readText('README.md', '# `npm start`, once\n# A\n# A\n[a](#npm-start-once) [b](#a-1)\n'))).toEqual(
      [],
    );
  });
});

test('each document of docs is linked from the README or from a document that the README links', () => {
  const linkedFrom = (name: string): string[] =>
    (byName.get(name)?.links ?? []).map(({ text }) => normalize(join(dirname(name), text.split('#')[0] ?? '')));
  const direct = linkedFrom('README.md');
  const reached = new Set([...direct, ...direct.flatMap(linkedFrom)]);
  const guides = documents.map(({ name }) => name).filter((name) => /^docs\/[^/]+\.md$/.test(name));
  expect(guides.filter((name) => !reached.has(name))).toEqual([]);
});
