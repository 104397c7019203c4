import { hostname, userInfo } from 'node:os';
import { Command, CommanderError, type CommandOptions, Help } from 'commander';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { Service } from '../composition/bootstrap.ts';
import { oneLine } from '../configuration/installation.ts';
import type { Wire } from './open-service.ts';
import { NO_ENDPOINT, remoteServer } from './options.ts';
import { plain, printed } from './print.ts';

/** The output of a command: `json` with `--json`, otherwise `text`. `failed` marks output that reports a problem. */
export type Answer = { readonly json: unknown; readonly text: string; readonly failed?: boolean };

export type AnswerOutcome = Promise<Outcome<Answer, string>>;

/** Adds a command to a group or to the program. Every command has `--json`. A default command runs where its group is named alone. */
export const addCommand = (parent: Command, usage: string, description: string, terms: CommandOptions = {}): Command =>
  parent.command(usage, terms).description(description).option('--json', 'print one JSON value and nothing else');

/** Columns of a text below the help of a command, which are those of a small terminal. */
const COLUMNS = 80;

/** Breaks the lines of a text that stands below the help of a command. */
export const wrapped = (text: string): string => new Help().boxWrap(text, COLUMNS);

/** The answer of a command from the outcome of a use case. Without a text of its own, the JSON is printed. */
export const answerFrom = <T>(
  outcome: Outcome<T, string>,
  text: (value: T) => string = (value) => printed(json(value) as object),
  json: (value: T) => unknown = (value) => value,
): Outcome<Answer, string> => (outcome.ok ? ok({ json: json(outcome.value), text: text(outcome.value) }) : outcome);

/** Runs work on the shop host of a remote server, by the token in SHOP_TOKEN. */
const onServer = async <S>(server: string, work: (service: S) => AnswerOutcome): AnswerOutcome => {
  const { SHOP_TOKEN: token = '' } = process.env;
  if (token === '') {
    return refuse('token_missing', {
      message: 'Set SHOP_TOKEN to a token of the server; create one there with "agent-token create --role".',
    });
  }
  const { remoteService } = await import('./remote.ts');
  return work(remoteService(server, token) as S);
};

/** Loads the areas of a service. The command line loads them only here, so that help waits for none. */
type Load<S> = (open: typeof import('./open-service.ts')) => Promise<Wire<S>>;

/** Runs work on a service, and makes its store where there is none. */
const onNew =
  <S>(load: Load<S>) =>
  async (work: (service: S) => AnswerOutcome): AnswerOutcome => {
    const server = remoteServer();
    if (server !== undefined) return onServer(server, work);
    const open = await import('./open-service.ts');
    return open.withService(await load(open), work);
  };

/** Runs work as `onNew` does, on a store that is there. Where there is none, it refuses and makes none. */
const on =
  <S>(load: Load<S>) =>
  async (work: (service: S) => AnswerOutcome): AnswerOutcome => {
    if (remoteServer() !== undefined) return onNew(load)(work);
    const { missingStore } = await import('./open-service.ts');
    return (await missingStore()) ?? onNew(load)(work);
  };

/**
 * Runs a check on an empty store in memory where DATA_DIR holds no store, and nothing elsewhere. A command that would
 * refuse its input refuses it here, before it makes a store.
 */
export const beforeNewStore = async <T>(
  check: (service: Service) => Promise<Outcome<T, string>>,
): Promise<Outcome<T | null, string>> => {
  const open = await import('./open-service.ts');
  return (await open.missingStore()) === null ? ok(null) : open.withEmptyService(await open.whole(), check);
};

export const onNewService = onNew((open) => open.whole());
export const onService = on((open) => open.whole());
export const onNewOperations = onNew((open) => open.operations());
export const onOperations = on((open) => open.operations());

/** The action of a command: work on a service, with the command's arguments and then its options. */
export const runsOn =
  <S, Given extends readonly unknown[]>(
    onStore: (work: (service: S) => AnswerOutcome) => AnswerOutcome,
    work: (service: S, ...given: Given) => AnswerOutcome | Awaited<AnswerOutcome>,
  ) =>
  // Commander gives the command itself, too, behind its options.
  (...given: [...Given, ...unknown[]]): Promise<void> =>
    answer(given.findLast((one) => !(one instanceof Command)) as { json?: boolean }, () =>
      onStore(async (service) => work(service, ...(given as unknown as Given))),
    );

const refusedLines = ({ code, message, data }: Refused): string => {
  const faults = (data?.['faults'] ?? []) as readonly Fault[];
  const lines = [...(message ?? code).split('\n'), ...faults.map(({ path, message: why }) => `${path}: ${why}`)];
  return lines.map(plain).join('\n');
};

const attempt = async (work: () => AnswerOutcome): AnswerOutcome => {
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
export const answer = async ({ json = false }: { json?: boolean }, work: () => AnswerOutcome): Promise<void> => {
  const outcome = await attempt(work);
  if (outcome.ok) {
    const { value } = outcome;
    // A stranger's name in a text must not send the terminal a command.
    process.stdout.write(`${json ? JSON.stringify(value.json) : value.text.split('\n').map(plain).join('\n')}\n`);
    if (value.failed) process.exitCode = 1;
    return;
  }
  const { code, message, data } = outcome;
  if (json) process.stdout.write(`${JSON.stringify({ error: code, message, ...data })}\n`);
  process.stderr.write(`${refusedLines(outcome)}\n`);
  process.exitCode = 1;
};

/**
 * Replaces the address of an account in a command's option or argument by the account's id, or ends a command whose
 * address is unknown.
 */
export const findAccount = async (command: Command): Promise<void> => {
  const { account, json = false } = command.opts<{ account?: number | string; json?: boolean }>();
  const isArgument = command.registeredArguments[0]?.name() === 'account';
  const named: unknown = isArgument ? command.processedArgs[0] : account;
  if (typeof named !== 'string') return;
  const found = await attempt(() =>
    onOperations(async (service) => answerFrom(await service.get('findAccount')(named), () => '')),
  );
  if (found.ok && isArgument) command.processedArgs[0] = found.value.json;
  else if (found.ok) command.setOptionValue('account', found.value.json);
  if (found.ok) return;
  await answer({ json }, async () => found);
  // The refusal was shown and the exit code is set; this only keeps the command from running.
  throw new CommanderError(0, 'account_not_found', '');
};

/** Ends a command that a remote server has no endpoint for. */
export const refuseRemote = async (command: Command): Promise<never> => {
  await answer(command.opts(), async () => refuse('no_endpoint', { message: NO_ENDPOINT }));
  throw new CommanderError(0, 'no_endpoint', '');
};

/** The name under which the operating system knows the operator; null if it has none, as in some containers. */
const userName = (): string | null => {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
};

/** The permit of an operator's command, whom no gate checks. The audit log tells who ran the command on which machine. */
export const operatorPermit = (command: string): Permit =>
  grantPermit(() => ({ kind: 'command', id: userName(), account_id: null, through: command, from: hostname() }));
