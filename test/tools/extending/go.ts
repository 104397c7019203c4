import { rm } from 'node:fs/promises';
import { openScratch } from '../documents/scratch.ts';
import { copySources, filesIn, make } from './sources.ts';
import { DOCUMENT, type Step, type Walk } from './walks.ts';

/** The longest command is the black-box suite on a mount, on a busy small machine. */
const COMMAND_MS = 400_000;

type Scratch = Awaited<ReturnType<typeof openScratch>>;

/** Types a command. Returns its fault; undefined if it succeeded. */
const type = async ({ session, atPorts }: Scratch, command: string): Promise<string | undefined> => {
  const { code, stdout, stderr } = await session.run(atPorts(command));
  if (code === 0) return undefined;
  return `${command}\n  exit code ${code}\n  ${stdout.slice(-3000)}\n  ${stderr.slice(-3000)}`;
};

/** Executes a step. Returns the first fault; undefined if the result matches the document. */
const faultOf = async (scratch: Scratch, step: Step): Promise<string | undefined> => {
  if (step.kind !== 'commands') {
    const complaint = await make(scratch.sources, step);
    return complaint && `this block no longer applies to the sources: ${complaint}\n"npm run walks" writes it again.`;
  }
  for (const command of step.commands) {
    const fault = await type(scratch, command);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

/**
 * Follows steps in a fresh copy of the sources, as a reader does. Returns the first fault; an empty string if there is
 * none. The signal ends the running command, and the walk with it.
 */
export const walkThrough = async ({ steps }: Pick<Walk, 'steps'>, store: string, signal: AbortSignal) => {
  const scratch = await openScratch({}, store, { copy: copySources, commandMs: COMMAND_MS });
  signal.addEventListener('abort', () => scratch.session.close());
  try {
    signal.throwIfAborted();
    for (const step of steps) {
      const fault = await faultOf(scratch, step);
      if (fault !== undefined) return `${DOCUMENT}, line ${step.line}: ${fault}`;
    }
    const stopped = await scratch.session.stopServer();
    return stopped.code === 0 ? '' : `The server ended with code ${stopped.code}.`;
  } finally {
    await scratch.session.close();
    await rm(scratch.folder, { recursive: true, force: true });
  }
};

const LINT = 'test/peers/node_modules/.bin/biome ci --error-on-warnings --colors=off';

/**
 * The changes of all walks in one copy, followed by a single check of types and style, because the type check is slow.
 */
export const checkSteps = (walks: readonly Walk[]): Step[] => {
  const changes = walks.flatMap(({ steps }) => steps.filter(({ kind }) => kind !== 'commands'));
  const files = new Set(changes.flatMap(filesIn));
  return [
    ...changes,
    { kind: 'commands', line: 1, commands: ['npm run -s typecheck', `${LINT} ${[...files].join(' ')}`] },
  ];
};
