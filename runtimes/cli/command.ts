import { type Command, CommanderError, type CommandOptions, Help } from 'commander';
import type { Fault } from '../../domain/shared/fault.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import { oneLine } from '../composition/faults.ts';
import type { Service } from '../composition/service.ts';
import type { Wire } from './open-service.ts';
import { plain } from './print.ts';

/** The output of a command: `json` with `--json`, otherwise `text`. `failed` marks output that reports a problem. */
export type Answer = { readonly json: unknown; readonly text: string; readonly failed?: boolean };

export type Answered = Promise<Outcome<Answer, string>>;

/** Adds a command to a group or to the program. Every command has `--json`. A default command runs where its group is named alone. */
export const leaf = (parent: Command, usage: string, description: string, terms: CommandOptions = {}): Command =>
  parent.command(usage, terms).description(description).option('--json', 'print one JSON value and nothing else');

/** Columns of a text below the help of a command, which are those of a small terminal. */
const COLUMNS = 80;

/** Breaks the lines of a text that stands below the help of a command. */
export const wrapped = (text: string): string => new Help().boxWrap(text, COLUMNS);

type Load<S> = () => Promise<{ readonly wire: Wire<S> }>;

/**
 * Runs work on a service that the environment configures, and makes its store where there is none. The service is
 * loaded only here, so that help does not wait for it, and with the areas of `load` alone, so that no command waits for
 * those of others.
 */
const onNew =
  <S>(load: Load<S>) =>
  async (work: (service: S) => Answered): Answered => {
    const [{ withService }, { wire }] = await Promise.all([import('./open-service.ts'), load()]);
    return withService(wire, work);
  };

/** Runs work as `onNew` does, on a store that is there. Where there is none, it refuses and makes none. */
const on =
  <S>(load: Load<S>) =>
  async (work: (service: S) => Answered): Answered => {
    const { missingStore } = await import('./open-service.ts');
    return (await missingStore()) ?? onNew(load)(work);
  };

const whole = () => import('./services/whole.ts');
const operations = () => import('./services/operations.ts');
const accounts = () => import('./services/accounts.ts');

/** Run work on a service with every area; the first one makes the store where there is none. */
export const onNewService = onNew(whole);
export const onService = on(whole);

/**
 * Runs a check on an empty store in memory where DATA_DIR holds no store, and nothing elsewhere. A command that would
 * refuse its input refuses it here, before it makes a store.
 */
export const beforeNewStore = async <T>(
  check: (service: Service) => Promise<Outcome<T, string>>,
): Promise<Outcome<T | null, string>> => {
  const { missingStore, withEmptyService } = await import('./open-service.ts');
  return (await missingStore()) === null ? ok(null) : withEmptyService((await whole()).wire, check);
};

/** Run work on a service with the areas that most commands need; the first one makes the store where there is none. */
export const onNewOperations = onNew(operations);
export const onOperations = on(operations);

/** Run work on a service that adds and lists accounts; the first one makes the store where there is none. */
export const onNewAccounts = onNew(accounts);
export const onAccounts = on(accounts);

/** Runs work on a service for commands about one buyer. */
export const onBuyers = on(() => import('./services/buyers.ts'));

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

/** Replaces the address in a command's option `--account` by the account's id, or ends a command whose address is unknown. */
export const findAccountOption = async (command: Command): Promise<void> => {
  const { account, json = false } = command.opts<{ account: string; json?: boolean }>();
  const found = await attempt(() =>
    onAccounts(async (service) => {
      const id = await service.get('findAccount')(account);
      return id.ok ? ok({ json: id.value, text: '' }) : id;
    }),
  );
  if (found.ok) return void command.setOptionValue('account', found.value.json);
  await answer({ json }, async () => found);
  // The refusal was shown and the exit code is set; this only keeps the command from running.
  throw new CommanderError(0, 'account_not_found', '');
};
