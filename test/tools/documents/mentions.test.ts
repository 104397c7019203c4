import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callsIn, isUsage, unknownIn, usagesIn } from './cli-words.ts';
import { PROJECT, readDocuments } from './read.ts';

const documents = readDocuments().map((doc) => [doc.name, doc] as const);
const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { readonly scripts: object };

test.each(documents)('the document %s has only commands and options of the command line', (_, { commands, codes }) => {
  const said = commands.flatMap(({ text }) => callsIn(text));
  const mentioned = codes.flatMap(({ text }) => (isUsage(text) ? usagesIn(text) : []));
  expect([...said, ...mentioned].flatMap((words) => unknownIn(words))).toEqual([]);
});

test.each([
  ['npm run -s cli -- publsh tool tool.zip', 'publsh'],
  ['X=$(npm run -s cli -- key lst --account "$ID" | head -1) # all', 'lst'],
  ['DATA_DIR=a account-service doctor --fast', '--fast'],
])('the check of commands finds the fault of %s', (text, fault) => {
  expect(unknownIn(callsIn(text)[0] ?? [])).toEqual([fault]);
});

test.each(documents)('the document %s has only existing npm scripts and programs', (_, { commands, codes }) => {
  const text = [...commands, ...codes].map((piece) => piece.text).join('\n');
  const run = [...text.matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = '']) => name);
  const files = [...text.matchAll(/\bnode ((?:\w[\w-]*\/)+[\w-]+\.ts)\b/g)].map(([, file = '']) => file);
  expect(run.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  expect(files.filter((file) => !existsSync(join(PROJECT, file)))).toEqual([]);
});
