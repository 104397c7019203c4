import { rm } from 'node:fs/promises';
import { openScratch } from '../documents/scratch.ts';
import { copySources, filesIn, lintFaults, make } from './sources.ts';
import { DOCUMENT, type Step, type Walk } from './walks.ts';

/** The longest command is the black-box suite on a mount, on a busy small machine. */
const COMMAND_MS = 400_000;

type Scratch = Awaited<ReturnType<typeof openScratch>>;

/** Types a command. Returns the fault; undefined where it ended well. */
const type = async ({ session, atPorts }: Scratch, command: string): Promise<string | undefined> => {
  const { code, stdout, stderr } = await session.run(atPorts(command));
  if (code === 0) return undefined;
  return `${command}\n  exit code ${code}\n  ${stdout.slice(-3000)}\n  ${stderr.slice(-3000)}`;
};

/** Does a step. Returns the first fault; undefined where the step is as the document says. */
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
 * Follows a walk in a fresh copy of the sources, as a reader does, then checks types and style. Returns the first fault;
 * an empty text where there is none. The signal ends the running command, and the walk with it.
 */
export const walkThrough = async ({ steps }: Walk, store: string, signal: AbortSignal): Promise<string> => {
  const scratch = await openScratch({}, store, { copy: copySources, commandMs: COMMAND_MS });
  signal.addEventListener('abort', () => scratch.session.close());
  try {
    signal.throwIfAborted();
    for (const step of steps) {
      const fault = await faultOf(scratch, step);
      if (fault !== undefined) return `${DOCUMENT}, line ${step.line}: ${fault}`;
    }
    const stopped = await scratch.session.stopServer();
    if (stopped.code !== 0) return `The server ended with code ${stopped.code}.`;
    return (await type(scratch, 'npm run -s typecheck')) ?? lintFaults(scratch.sources, steps.flatMap(filesIn)) ?? '';
  } finally {
    await scratch.session.close();
    await rm(scratch.folder, { recursive: true, force: true });
  }
};
