import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { type Doc, PROJECT, readDocuments, readText } from './read.ts';

const documents = readDocuments();
const byName = new Map(documents.map((doc) => [doc.name, doc]));

/** The links of a document that lead to no file, or to no heading in a file. */
const brokenIn = (doc: Doc): string[] =>
  doc.links
    .filter(({ text }) => !/^[a-z][a-z+.-]*:/i.test(text))
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

test('the check of links finds missing files and headings, and knows headings with code, signs and numbers', () => {
  const broken = ['nothing.md', 'README.md#nothing', '../a.md', '#titles'];
  const right = ['#npm-start-once', '#a-1', 'README.md'];
  const links = [...broken, ...right].map((link) => `[a](${link})`).join(' ');
  expect(brokenIn(readText('README.md', `# \`npm start\`, once\n# A\n# A\n${links}\n`))).toEqual(
    broken.map((link) => `line 4: ${link}`),
  );
});

test('each document of docs is linked from the README or from a document that the README links', () => {
  const linkedFrom = (name: string): string[] =>
    (byName.get(name)?.links ?? []).map(({ text }) => normalize(join(dirname(name), text.split('#')[0] ?? '')));
  const direct = linkedFrom('README.md');
  const reached = new Set([...direct, ...direct.flatMap(linkedFrom)]);
  const guides = documents.map(({ name }) => name).filter((name) => /^docs\/[^/]+\.md$/.test(name));
  expect(guides.filter((name) => !reached.has(name))).toEqual([]);
});

/** A file path in the code of a sentence. */
const NAMED_FILE = /^(?:adapters|application|clients|domain|examples|infra|ports|runtimes|test)\/[\w./-]+\.ts$/;

/** The changelog names files of its time, and the walks create the files that they name. */
const NAMES_OTHERS = ['CHANGELOG.md', 'docs/extending.md'];

test('each source file that a document names exists', () => {
  const named = documents
    .filter(({ name }) => !NAMES_OTHERS.includes(name))
    .flatMap(({ name, codes }) =>
      codes.flatMap(({ line, text }) => (NAMED_FILE.test(text) ? [{ name, line, text }] : [])),
    );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ text }) => !existsSync(join(PROJECT, text)))).toEqual([]);
});
