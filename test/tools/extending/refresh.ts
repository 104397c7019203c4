import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { PROJECT } from '../documents/read.ts';
import { copySources, filesOf, git, make, textOf } from './sources.ts';
import { type Change, DOCUMENT, readDocument, walksIn } from './walks.ts';

/** `npm run walks` rewrites the blocks of docs/extending.md, so that they apply to the current sources. */

/** The lines of context: enough to find the position again, and few enough to survive most nearby changes. */
const CONTEXT = 1;

/** The text of a block without the lines that only git needs. */
const diffOf = (sources: string, files: readonly string[]): string => {
  const args = ['diff', `-U${CONTEXT}`, '--', ...files];
  const { stdout: text } = spawnSync('git', args, { cwd: sources, encoding: 'utf8' });
  return text.replaceAll(/^(?:diff --git|index|new file|similarity) .*\n/gm, '').replaceAll(/^(@@ .*? @@).*$/gm, '$1');
};

const ask = async (text: string): Promise<void> => {
  const lines = createInterface({ input: stdin, output: stdout });
  await lines.question(text);
  lines.close();
};

/** The parts of a diff, one for each file. */
const partsOf = (diff: string): string[] => diff.split(/^(?=--- a\/)/m);

/** Applies a part, if necessary with less context, because the lines around it may have changed. */
const applies = (sources: string, part: string): boolean =>
  [
    ['apply', '-'],
    ['apply', '-C1', '--recount', '-'],
  ].some((args) => git(sources, args, part) === undefined);

/** Applies a change as far as it still fits; a person makes the rest. False if nobody is there to do so. */
const makeOrAsk = async (sources: string, change: Change): Promise<boolean> => {
  const left =
    change.kind === 'diff'
      ? partsOf(change.text).filter((part) => !applies(sources, part))
      : [await make(sources, change)].filter((complaint) => complaint !== undefined);
  for (const part of left) {
    stdout.write(`\n${DOCUMENT}, line ${change.line}, does not apply any more:\n${part}\n`);
    if (!stdin.isTTY) {
      stdout.write('Run "npm run walks" in a terminal: it waits until you have made this change by hand.\n');
      return false;
    }
    const files = change.kind === 'diff' ? filesOf(part) : [change.path];
    await ask(`Make this change in ${files.map((file) => join(sources, file)).join(', ')}, save it, and press Enter. `);
  }
  return true;
};

/** The block as it applies to the sources, after its change was made in the copy. */
const written = (sources: string, change: Change): string =>
  change.kind === 'file' ? textOf(sources, change.path) : diffOf(sources, filesOf(change.text));

/**
 * Follows a walk in a copy of the sources. Returns its blocks with their new texts; undefined if a change no longer
 * fits and nobody is there to make it.
 */
const refreshed = async (
  changes: readonly Change[],
  sources: string,
): Promise<(readonly [Change, string])[] | undefined> => {
  await copySources(sources);
  git(sources, ['init', '--quiet']);
  git(sources, ['add', '--all']);
  const blocks: (readonly [Change, string])[] = [];
  for (const change of changes) {
    if (!(await makeOrAsk(sources, change))) return undefined;
    blocks.push([change, written(sources, change)]);
    git(sources, ['add', '--all']);
  }
  return blocks;
};

/** The document with its blocks rewritten; undefined if one of them must be made by hand. */
const refreshedText = async (folder: string): Promise<string | undefined> => {
  let text = readDocument();
  for (const [at, { steps }] of walksIn(text).entries()) {
    const changes = steps.filter((step) => step.kind !== 'commands');
    const blocks = await refreshed(changes, join(folder, String(at)));
    if (!blocks) return undefined;
    for (const [{ text: before }, after] of blocks) text = text.replace(before, () => after);
  }
  return text;
};

const folder = await mkdtemp(join(tmpdir(), 'account-service-extending-'));
const text = await refreshedText(folder).finally(() => rm(folder, { recursive: true, force: true }));
if (text === undefined) {
  process.exitCode = 1;
} else {
  await writeFile(join(PROJECT, DOCUMENT), text);
  stdout.write(`The blocks of ${DOCUMENT} apply to the sources.\n`);
}
