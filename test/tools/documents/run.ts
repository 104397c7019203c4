import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ELSEWHERE, WALKED } from './elsewhere.ts';
import type { Plan, Said } from './plan.ts';
import type { Doc, Piece } from './read.ts';
import { openScratch, type Scratch } from './scratch.ts';
import type { Ran } from './session.ts';

/** The commands of a document that can run on this machine: all but those that run elsewhere, as their list says. */
export const runnable = ({ name, commands }: Doc): Piece[] =>
  commands.filter(({ text }) => ELSEWHERE[name]?.[text] === undefined);

/** The commands of a document that the tests of the documents run, and no other test. */
export const toRun = (doc: Doc): Piece[] => (WALKED[doc.name] ? [] : runnable(doc));

/** Programs that `npm test` may not ask for, and a browser. */
const PROGRAMS = /\b(?:curl|jq|openssl|sha256sum|examples\/collector)\b/;

/** Tells whether a document has commands that need more than npm and a shell. */
export const needsPrograms = (doc: Doc): boolean => toRun(doc).some(({ text }) => PROGRAMS.test(text));

/** A key of a plan that no command has is a mistake in the plan, or a command that has gone from its document. */
const unusedKeys = (plan: Plan, commands: readonly Piece[]): string[] =>
  [plan.before, plan.values, plan.refused, plan.prints]
    .flatMap((part) => Object.keys(part ?? {}))
    .filter((key) => !commands.some(({ text }) => text.includes(key)));

const found = <T>(part: Readonly<Record<string, T>> | undefined, command: string): T[] =>
  Object.entries(part ?? {}).flatMap(([key, value]) => (command.includes(key) ? [value] : []));

/** A reader of a document, who types its commands one after the other. */
class Reader {
  readonly #plan: Plan;
  readonly #scratch: Scratch;
  readonly #said: [string, string][] = [];

  constructor(plan: Plan, scratch: Scratch) {
    this.#plan = plan;
    this.#scratch = scratch;
  }

  /** Runs a command. Answers what is wrong with it, or nothing. */
  async type({ line, text }: Piece): Promise<string[]> {
    const { before, refused, prints } = this.#plan;
    for (const preparation of found(before, text).flat()) {
      const prepared = await this.#scratch.session.run(this.#scratch.atPorts(preparation));
      if (prepared.code !== 0) return [this.#fault(line, preparation, prepared)];
    }
    const command = this.#scratch.atPorts(this.#filledIn(text));
    const ran = await this.#scratch.session.run(command);
    this.#said.push([text, ran.stdout]);
    const [code = 0] = found(refused, text);
    const promised = found(prints, text).every((pattern) => pattern.test(ran.stdout));
    return ran.code === code && promised ? [] : [this.#fault(line, command, ran)];
  }

  #filledIn(text: string): string {
    const said: Said = (part) => this.#said.findLast(([command]) => command.includes(part))?.[1] ?? '';
    return Object.entries(this.#plan.values ?? {}).reduce(
      (command, [placeholder, value]) =>
        command.includes(placeholder)
          ? command.replaceAll(placeholder, () => (typeof value === 'string' ? value : value(said)))
          : command,
      text,
    );
  }

  #fault(line: number, command: string, { code, stdout, stderr }: Ran): string {
    return `line ${line}: ${command}\n  exit code ${code}\n  ${stdout.slice(-1500)}\n  ${stderr.slice(-1500)}`;
  }
}

const close = async ({ session, folder }: Scratch): Promise<void> => {
  await session.close();
  await rm(folder, { recursive: true, force: true });
};

/**
 * Runs the commands of a document in their order, in one shell. Answers what is wrong: the first command that does not
 * end as the document says, and what a plan has beyond the document.
 */
export const runDocument = async (doc: Doc, plan: Plan, sample: string, commands = toRun(doc)): Promise<string[]> => {
  const unused = unusedKeys(plan, commands);
  if (unused.length > 0) return unused.map((key) => `No command of ${doc.name} has "${key}" of its plan.`);
  const scratch = await openScratch(plan, plan.store === 'none' ? undefined : sample);
  const reader = new Reader(plan, scratch);
  try {
    for (const command of commands) {
      const faults = await reader.type(command);
      if (faults.length > 0) return faults;
    }
    const stopped = await scratch.session.stopServer();
    return stopped.code === 0 ? [] : [`The server ended with code ${stopped.code}.`];
  } finally {
    await close(scratch);
  }
};

/** Keeps the store that the first start makes, as the folder `data`. */
export const keepSample = async (data: string): Promise<void> => {
  const scratch = await openScratch({});
  try {
    const started = await scratch.session.run('npm start');
    const stopped = await scratch.session.stopServer();
    if (started.code !== 0 || stopped.code !== 0) throw new Error(`npm start: ${started.stderr}${stopped.stderr}`);
    await cp(join(scratch.folder, 'sources', '.data'), data, { recursive: true });
  } finally {
    await close(scratch);
  }
};
