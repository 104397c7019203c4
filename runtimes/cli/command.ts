import { type Command, CommanderError } from 'commander';
import type { Fault } from '../../domain/shared/fault.ts';
import { type Outcome, type Refused, refuse } from '../../domain/shared/outcome.ts';
import { oneLine } from '../composition/faults.ts';
import type { Service } from '../composition/service.ts';
import { plain } from './print.ts';

/** The output of a command: `json` with `--json`, otherwise `text`. `failed` marks output that reports a problem. */
export type Answer = { readonly json: unknown; readonly text: string; readonly failed?: boolean };

export type Answered = Promise<Outcome<Answer, string>>;

/** Adds a command to a group or to the program. Every command has `--json`. */
export const leaf = (parent: Command, usage: string, description: string): Command =>
  parent.command(usage).description(description).option('--json', 'print one JSON value and nothing else');

/**
 * Runs the work on the service that the environment configures. The service is loaded only here, so that help does not
 * wait for it.
 */
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

/**
 * Runs the work and prints its result. The exit code is 0 for success, and 1 for a refusal, an error or a reported
 * problem.
 */
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
