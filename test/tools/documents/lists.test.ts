import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ELSEWHERE, WALKED } from './elsewhere.ts';
import { PLANS } from './plans.ts';
import { PROJECT, readDocuments, readText } from './read.ts';
import { toRun } from './run.ts';

const documents = readDocuments();

/** Code that is a command of another program, with arguments, and no call of this project's own. */
const IS_COMMAND =
  /^(?:[A-Z_]+=\S+ )*(?:aws|certbot|chmod|claude|code|codex|curl|df|ditto|docker|journalctl|nginx|npx|openssl|systemctl) \S/;

const textsOf = (name: string): { readonly run: readonly string[]; readonly mentioned: readonly string[] } => {
  const doc = documents.find((one) => one.name === name);
  return {
    run: (doc?.commands ?? []).map(({ text }) => text),
    mentioned: (doc?.codes ?? []).map(({ text }) => text),
  };
};

describe('the list of commands that run elsewhere', () => {
  const listed = Object.entries(ELSEWHERE).flatMap(([name, reasons]) =>
    Object.entries(reasons).map(([command, reason]) => ({ name, command, reason })),
  );

  test('the list names only commands that its documents have', () => {
    const gone = listed.filter(({ name, command }) => {
      const { run, mentioned } = textsOf(name);
      return !run.includes(command) && !mentioned.includes(command);
    });
    expect(gone.map(({ name, command }) => `${name}: ${command}`)).toEqual([]);
  });

  test('the list names only checks that the project has', () => {
    const checks = new Set([...listed.map(({ reason }) => reason), ...Object.values(WALKED)].flatMap(({ by }) => by));
    expect([...checks].filter((file) => !existsSync(join(PROJECT, file)))).toEqual([]);
    expect(listed.filter(({ reason }) => reason.by.length === 0)).toEqual([]);
    expect(Object.keys(WALKED).filter((name) => !documents.some((doc) => doc.name === name))).toEqual([]);
  });

  test('a command of another program within a sentence is in the list, or among the commands of its document', () => {
    const open = documents.flatMap(({ name, commands, codes }) =>
      codes
        .filter(({ text }) => IS_COMMAND.test(text) && ELSEWHERE[name]?.[text] === undefined)
        .filter(({ text }) => !commands.some((command) => command.text.includes(text)))
        .map(({ line, text }) => `${name}, line ${line}: ${text}`),
    );
    expect(open).toEqual([]);
  });
});

/** A line that a reader would take for a command, and paste. */
const LOOKS_LIKE_A_COMMAND =
  /^\s*(?:\$ |(?:[A-Z_]+=\S+ )*(?:export [A-Z]|(?:account-service|aws|cd|curl|docker|node|npm|npx|systemctl) \S))/m;

test('each command stands in a block of shell, so that it runs', () => {
  const hidden = documents.flatMap(({ name, blocks }) =>
    blocks.filter(({ text }) => LOOKS_LIKE_A_COMMAND.test(text)).map(({ line }) => `${name}, line ${line}`),
  );
  expect(documents.flatMap(({ blocks }) => blocks).length).toBeGreaterThan(5);
  expect(hidden).toEqual([]);
  expect(readText('a.md', '    npm start\n').blocks.filter(({ text }) => LOOKS_LIKE_A_COMMAND.test(text))).toHaveLength(
    1,
  );
});

test('each plan belongs to a document whose commands run', () => {
  const run = new Set(documents.filter((doc) => toRun(doc).length > 0).map(({ name }) => name));
  expect(Object.keys(PLANS).filter((name) => !run.has(name))).toEqual([]);
});
