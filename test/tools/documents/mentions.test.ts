import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callsIn, commandNames, complaintOf, usagesIn } from './cli-words.ts';
import { PROJECT, readDocuments } from './read.ts';

const documents = readDocuments().map((doc) => [doc.name, doc] as const);
const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { readonly scripts: object };
const names = await commandNames();

const isUsage = (code: string): boolean =>
  callsIn(code).length > 0 || (!/ from /.test(code) && names.has(/^[a-z-]+(?= )/.exec(code)?.[0] ?? ''));

test.each(documents)('%s has only commands and options that the command line has', async (_, { commands, codes }) => {
  const calls = [
    ...commands.flatMap(({ text }) => callsIn(text)),
    ...codes.flatMap(({ text }) => (isUsage(text) ? usagesIn(text) : [])),
  ];
  const complaints = await Promise.all(calls.filter((words) => words.join() !== 'COMMAND').map(complaintOf));
  expect(complaints.filter((complaint) => complaint !== undefined)).toEqual([]);
});

test.each([
  ['npm run -s cli -- publsh tool tool.zip', 'unknown command'],
  ['X=$(npm run -s cli -- doctor --fast | head -1) # all', 'unknown option'],
  ['account-service doctor now', 'too many arguments'],
])('the check of commands finds the fault of %s', async (text, complaint) => {
  expect(await complaintOf(callsIn(text)[0] ?? [])).toContain(complaint);
});

test.each(documents)('%s has only scripts of npm and programs that there are', (_, { commands, codes }) => {
  const text = [...commands, ...codes].map((piece) => piece.text).join('\n');
  const run = [...text.matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = '']) => name);
  const files = [...text.matchAll(/\bnode ((?:\w[\w-]*\/)+[\w-]+\.ts)\b/g)].map(([, file = '']) => file);
  expect(run.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  expect(files.filter((file) => !existsSync(join(PROJECT, file)))).toEqual([]);
});
