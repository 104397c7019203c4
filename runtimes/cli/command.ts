import { type Command, CommanderError } from 'commander';
import type { Fault } from '../../domain/shared/fault.ts';
import { type Outcome, type Refused, refuse } from '../../domain/shared/outcome.ts';
import { oneLine } from '../composition/faults.ts';
import type { Wire } from './open-service.ts';
import { plain } from './print.ts';

/** The output of a command: `json` with `--json`, otherwise `text`. `failed` marks output that reports a problem. */
export type Answer = { readonly json: unknown; readonly text: string; readonly failed?: boolean };

export type Answered = Promise<Outcome<Answer, string>>;

/** Adds a command to a group or to the program. Every command has `--json`. */
export const leaf = (parent: Command, usage: string, description: string): Command =>
  parent.command(usage).description(description).option('--json', 'print one JSON value and nothing else');

/**
 * Runs work on a service that the environment configures. The service is loaded only here, so that help does not wait for
 * it, and with the areas of `load` alone, so that no command waits for those of others.
 */
const on =
  <S>(load: () => Promise<{ readonly wire: Wire<S> }>) =>
  async (work: (service: S) => Answered): Answered => {
    const [{ withService }, { wire }] = await Promise.all([import('./open-service.ts'), load()]);
    return withService(wire, work);
  };

/** Runs work on a service with every area. */
export const onService = on(() => import('./services/whole.ts'));

/** Runs work on a service with the areas that most commands need. */
export const onOperations = on(() => import('./services/operations.ts'));

/** Runs work on a service that adds and lists accounts. */
export const onAccounts = on(() => import('./services/accounts.ts'));

/** Runs work on a service that shows and refunds orders, and shows subscriptions. */
export const onOrders = on(() => import('./services/orders.ts'));

/** Runs work on a service that shows products and their use. */
export const onProducts = on(() => import('./services/products.ts'));

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
