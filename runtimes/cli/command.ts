import { type Command, CommanderError } from 'commander';
import type { Fault } from '../../domain/shared/fault.ts';
import { type Outcome, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { Service } from '../composition/bootstrap.ts';
import { oneLine } from '../composition/faults.ts';
import { plain } from './print.ts';

/** What a command prints: the value with `--json`, else the text. `failed` is an answer that tells of something wrong. */
export type Answer = { readonly json: unknown; readonly text: string; readonly failed?: boolean };

export type Answered = Promise<Outcome<Answer, string>>;

/** A command of a group, or of the program. */
export const leaf = (parent: Command, usage: string, description: string): Command =>
  parent.command(usage).description(description).option('--json', 'print one JSON value and nothing else');

/** Runs the work on the service that the environment names. It is loaded only now: help must not wait for it. */
export const onService = async (work: (service: Service) => Answered): Answered =>
  (await import('./open-service.ts')).withService(work);

const refusedLines = ({ code, message, data }: Refused): string => {
  const faults = (data?.['faults'] ?? []) as readonly Fault[];
  const lines = [...(message ?? code).split('\n'), ...faults.map(({ path, message: why }) => `${path}: ${why}`)];
  return lines.map(plain).join('\n');
};

const attempt = async (work: () => Answered): Answered => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommanderError) throw error;
    return refuse('failed', { message: oneLine(error) });
  }
};

/** Prints what the work comes to. The exit code is 0 where it was done, and 1 where it was refused or failed. */
export const answer = async ({ json = false }: { json?: boolean }, work: () => Answered): Promise<void> => {
  const outcome = await attempt(work);
  if (outcome.ok) {
    const { value } = outcome;
    process.stdout.write(`${json ? JSON.stringify(value.json) : value.text}\n`);
    if (value.failed) process.exitCode = 1;
    return;
  }
  const { code, message, data } = outcome;
  if (json) process.stdout.write(`${JSON.stringify({ error: code, message, ...data })}\n`);
  process.stderr.write(`${refusedLines(outcome)}\n`);
  process.exitCode = 1;
};
