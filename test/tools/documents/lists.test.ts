import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VARIABLES } from '../../../runtimes/configuration/config.ts';
import { ELSEWHERE, elsewhere, WALKED } from './elsewhere.ts';
import { PLANS } from './plans.ts';
import { PROJECT, readDocuments } from './read.ts';
import { toRun } from './run.ts';

const documents = readDocuments();
const texts = documents.flatMap(({ commands, codes }) => [...commands, ...codes].map(({ text }) => text));

test('each pattern of a command that runs elsewhere matches a command of a document', () => {
  const used = new Set(texts.map(elsewhere));
  expect(ELSEWHERE.map(([pattern]) => pattern).filter((pattern) => !used.has(pattern))).toEqual([]);
});

test('the tests that cover the commands of other documents exist', () => {
  const files = [...ELSEWHERE.flatMap(([, ...by]) => by), ...Object.entries(WALKED).flat(2)];
  expect(files.filter((file) => !existsSync(join(PROJECT, file)))).toEqual([]);
});

test('each plan belongs to a document whose commands run', () => {
  const run = new Set(documents.filter((doc) => toRun(doc).length > 0).map(({ name }) => name));
  expect(Object.keys(PLANS).filter((name) => !run.has(name))).toEqual([]);
});

/** A line that a reader would mistake for a command, and paste. */
const LOOKS_LIKE_A_COMMAND =
  /^\s*(?:\$ |(?:[A-Z_]+=\S+ )*(?:export [A-Z]|(?:account-service|aws|cd|curl|docker|node|npm|npx|systemctl) \S))/m;

test('each command is in a shell block, so it runs', () => {
  const blocks = documents.flatMap(({ name, blocks }) =>
    blocks.map(({ line, text }) => `${name}, line ${line}\n${text}`),
  );
  expect(blocks.length).toBeGreaterThan(5);
  expect(blocks.filter((block) => LOOKS_LIKE_A_COMMAND.test(block))).toEqual([]);
});

test('docs/running.md has every variable of the configuration', () => {
  const codes = new Set(documents.find(({ name }) => name === 'docs/running.md')?.codes.map(({ text }) => text));
  expect(VARIABLES.filter((variable) => !codes.has(variable))).toEqual([]);
});
