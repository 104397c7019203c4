import { rm } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { openScratch, type Scratch } from '../documents/scratch.ts';
import type { Ran } from '../documents/session.ts';
import { copySources, filesIn, lintFaults, make } from './sources.ts';
import { type Change, type Commands, DOCUMENT, type Walk } from './walks.ts';

/** The longest command is the black-box suite on a mount, beside other work of a small machine. */
const COMMAND_MS = 400_000;

/** The port of a host that a walk adds. */
const FURTHER_PORTS = { STATUS_PORT: '8791' };

const REFRESH = 'npm run extending';

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const plain = (text: string): string => stripVTControlCharacters(text).trim().replaceAll(/\s+/g, ' ');

/** True where a line of what was printed is this one, colours and spaces aside; `…` stands for any text. */
export const isShown = (shown: string, printed: string): boolean => {
  const parts = plain(shown)
    .split('…')
    .map((part) => escaped(part.trim()));
  const line = new RegExp(`^${parts.join('.*')}$`);
  return printed.split('\n').some((text) => line.test(plain(text)));
};

/** True where the document shows that the compiler refuses the sources as they are by then. */
const isRefusal = ({ shown }: Commands): boolean => shown.some((line) => /^error |error TS|is missing/.test(line));

const said = ({ code, stdout, stderr }: Ran): string =>
  `  exit code ${code}\n  ${stdout.slice(-3000)}\n  ${stderr.slice(-3000)}`;

const type = async ({ session, atPorts }: Scratch, step: Commands): Promise<string[]> => {
  let printed = '';
  for (const [at, command] of step.commands.entries()) {
    const ran = await session.run(atPorts(command));
    const mayFail = at === step.commands.length - 1 && isRefusal(step);
    printed = ran.stdout + ran.stderr;
    if ((ran.code !== 0) !== mayFail) return [`${DOCUMENT}, line ${step.line}: ${command}\n${said(ran)}`];
  }
  const missing = step.shown.filter((line) => !isShown(line, printed));
  return missing.length === 0
    ? []
    : [`${DOCUMENT}, line ${step.line}: the last command does not print\n  ${missing.join('\n  ')}\nbut\n${printed}`];
};

const change = async (sources: string, step: Change): Promise<string[]> => {
  const complaint = await make(sources, step);
  return complaint === undefined
    ? []
    : [
        `${DOCUMENT}, line ${step.line}: this block does not apply to the sources any more. ${complaint}\n`,
        `"${REFRESH}" writes it anew where the change itself still fits, and says what to do where it does not.`,
      ];
};

/**
 * Walks through a part of the document in a fresh copy of the sources, as a reader does. Answers what is wrong with the
 * first step that is not as the document says. The signal ends the command that runs, and the walk with it.
 */
export const walkThrough = async ({ steps }: Walk, store: string, signal: AbortSignal): Promise<string[]> => {
  const options = { copy: copySources, ports: FURTHER_PORTS, commandMs: COMMAND_MS };
  const scratch = await openScratch({}, store, options);
  signal.addEventListener('abort', () => scratch.session.close());
  try {
    signal.throwIfAborted();
    for (const step of steps) {
      const faults = step.kind === 'commands' ? await type(scratch, step) : await change(scratch.sources, step);
      if (faults.length > 0) return faults;
    }
    const faults = lintFaults(scratch.sources, steps.flatMap(filesIn));
    if (faults !== undefined) return [faults];
    const stopped = await scratch.session.stopServer();
    return stopped.code === 0 ? [] : [`The server ended with code ${stopped.code}.`];
  } finally {
    await scratch.session.close();
    await rm(scratch.folder, { recursive: true, force: true });
  }
};
