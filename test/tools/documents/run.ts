import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { elsewhere, WALKED } from './elsewhere.ts';
import type { Plan, Said } from './plan.ts';
import type { Doc, Piece } from './read.ts';
import { openScratch, type Scratch } from './scratch.ts';
import type { Ran } from './session.ts';

/** The commands of a document that can run on this machine. */
export const runnable = ({ commands }: Doc): Piece[] => commands.filter(({ text }) => elsewhere(text) === undefined);

/** The commands of a document that only the tests of the documents run. */
export const toRun = (doc: Doc): Piece[] => (WALKED[doc.name] ? [] : runnable(doc));

/** Programs that `npm test` must not require, and a browser. */
const PROGRAMS = /\b(?:cargo|curl|go mod|jq|openssl|sha256sum|examples\/collector)\b/;

/** True if a document has commands that need more than npm and a shell. */
export const needsPrograms = (doc: Doc): boolean => toRun(doc).some(({ text }) => PROGRAMS.test(text));

/** The programs in a document: blocks whose first line is a comment with a file name. */
const programsOf = ({ blocks }: Doc): Readonly<Record<string, string>> =>
  Object.fromEntries(
    blocks.flatMap(({ text }) =>
      [...text.matchAll(/^(?:\/\/|#) ([\w-]+\.(?:mjs|ts|py|rs|go|cpp))\n[\s\S]*/g)].map(([all, name = '']) => [
        name,
        all,
      ]),
    ),
  );

/** A key of a plan that no command contains is a mistake in the plan. */
const unusedKeys = (plan: Plan, commands: readonly Piece[]): string[] =>
  [plan.before, plan.values, plan.refused, plan.prints]
    .flatMap((part) => Object.keys(part ?? {}))
    .filter((key) => !commands.some(({ text }) => text.includes(key)));

const found = <T>(part: Readonly<Record<string, T>> | undefined, command: string): T[] =>
  Object.entries(part ?? {}).flatMap(([key, value]) => (command.includes(key) ? [value] : []));

const filledIn = (text: string, { values = {} }: Plan, said: Said): string =>
  Object.entries(values).reduce(
    (command, [placeholder, value]) =>
      command.includes(placeholder)
        ? command.replaceAll(placeholder, () => (typeof value === 'string' ? value : value(said)))
        : command,
    text,
  );

const faultOf = (line: number, command: string, { code, stdout, stderr }: Ran): string =>
  [`line ${line}: ${command}`, `exit code ${code}`, stdout.slice(-1500), stderr.slice(-1500)].join('\n  ');

/** Types the commands one after the other. Returns the first fault. */
const typeAll = async (commands: readonly Piece[], plan: Plan, { session, atPorts }: Scratch): Promise<string[]> => {
  const outputs: [string, string][] = [];
  const said: Said = (part) => outputs.findLast(([command]) => command.includes(part))?.[1] ?? '';
  for (const { line, text } of commands) {
    for (const preparation of found(plan.before, text).flat()) {
      const prepared = await session.run(atPorts(preparation));
      if (prepared.code !== 0) return [faultOf(line, preparation, prepared)];
    }
    const command = atPorts(filledIn(text, plan, said));
    const ran = await session.run(command);
    outputs.push([text, ran.stdout]);
    const [code = 0] = found(plan.refused, text);
    const isAsSaid = ran.code === code && found(plan.prints, text).every((pattern) => pattern.test(ran.stdout));
    if (!isAsSaid) return [faultOf(line, command, ran)];
  }
  const stopped = await session.stopServer();
  return stopped.code === 0 ? [] : [`The server ended with code ${stopped.code}.`];
};

const inScratch = async <T>(
  plan: Plan,
  data: string | undefined,
  work: (scratch: Scratch) => Promise<T>,
): Promise<T> => {
  const scratch = await openScratch(plan, data);
  try {
    return await work(scratch);
  } finally {
    await scratch.session.close();
    await rm(scratch.folder, { recursive: true, force: true });
  }
};

/**
 * Runs the commands of a document in one shell. Returns the first fault, and the entries of the plan that the document
 * does not use.
 */
export const runDocument = async (doc: Doc, plan: Plan, sample: string, commands = toRun(doc)): Promise<string[]> => {
  const unused = unusedKeys(plan, commands);
  if (unused.length > 0) return unused.map((key) => `No command of ${doc.name} has "${key}" of its plan.`);
  const withPrograms = { ...plan, files: { ...programsOf(doc), ...plan.files } };
  return inScratch(withPrograms, plan.store === 'none' ? undefined : sample, (scratch) =>
    typeAll(commands, plan, scratch),
  );
};

/** Saves the store that the first start creates in the folder `data`. */
export const keepSample = (data: string): Promise<void> =>
  inScratch({}, undefined, async ({ session, folder }) => {
    const started = await session.run('npm start');
    const stopped = await session.stopServer();
    if (started.code !== 0 || stopped.code !== 0) throw new Error(`npm start: ${started.stderr}${stopped.stderr}`);
    await cp(join(folder, 'sources', '.data'), data, { recursive: true });
  });
