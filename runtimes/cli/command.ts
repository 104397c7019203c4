import { hostname, userInfo } from 'node:os';
import { Command, CommanderError, type CommandOptions, Help } from 'commander';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { Service } from '../composition/bootstrap.ts';
import { oneLine } from '../configuration/installation.ts';
import { NO_ENDPOINT, remoteServer, runningCommand } from './options.ts';
import { plain, printed } from './print.ts';
import type { Sender } from './send.ts';

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

/** The answer of a command from the outcome of a use case. Without its own text, the JSON is printed. */
export const answerFrom = <T>(
  outcome: Outcome<T, string>,
  text: (value: T) => string = (value) => printed(json(value) as object),
  json: (value: T) => unknown = (value) => value,
): Outcome<Answer, string> => (outcome.ok ? ok({ json: json(outcome.value), text: text(outcome.value) }) : outcome);

/** The outcome of a list, with each entry as a command shows it. */
export const mapped = <T, V>(outcome: Outcome<readonly T[], string>, shape: (entry: T) => V): Outcome<V[], string> =>
  outcome.ok ? ok(outcome.value.map(shape)) : outcome;

/** A service, and what sends commands to its endpoints. */
type Work = (service: Service & Sender) => AnswerOutcome;

const noEndpoint = () => refuse('no_endpoint', { message: NO_ENDPOINT });

/** Runs work on the shop host of a remote server, by the token in SHOP_TOKEN. The work can only send to it. */
const onServer = async (server: string, work: Work): AnswerOutcome => {
  const { SHOP_TOKEN: token = '' } = process.env;
  if (token === '') {
    return refuse('token_missing', {
      message: 'Set SHOP_TOKEN to a token of the server; create one there with "agent-token create --role".',
    });
  }
  const { remoteSender } = await import('./remote.ts');
  const get = (): never => {
    throw new Error(NO_ENDPOINT);
  };
  return work({ get, ...remoteSender(server, token) } as unknown as Service & Sender);
};

/** Runs work on the store of this machine, and makes the store where there is none. */
export const onNewService = async (work: Work): AnswerOutcome => {
  if (remoteServer() !== undefined) return noEndpoint();
  const { withService, localSender } = await import('./open-service.ts');
  return withService((service) => work({ ...service, ...localSender(service, operatorPermit()) }));
};

/** Runs work as `onNewService` does, on a store that is there. Where there is none, it refuses and makes none. */
export const onService = async (work: Work): AnswerOutcome => {
  if (remoteServer() !== undefined) return noEndpoint();
  const { missingStore } = await import('./open-service.ts');
  return (await missingStore()) ?? onNewService(work);
};

/** Runs work on the remote server where one is named, and else here. */
const anywhere =
  (here: (work: Work) => AnswerOutcome) =>
  (work: Work): AnswerOutcome => {
    const server = remoteServer();
    return server === undefined ? here(work) : onServer(server, work);
  };

export const onNewShop = anywhere(onNewService);
export const onShop = anywhere(onService);

/**
 * Runs a check on an empty store in memory where DATA_DIR holds no store, and nothing elsewhere. A command that would
 * refuse its input refuses it here, before it makes a store.
 */
export const beforeNewStore = async <T>(
  check: (service: Service) => Promise<Outcome<T, string>>,
): Promise<Outcome<T | null, string>> => {
  const { missingStore, withEmptyService } = await import('./open-service.ts');
  return (await missingStore()) === null ? ok(null) : withEmptyService(check);
};

/** The action of a command: work on a service, with the command's arguments and then its options. */
export const runsOn =
  <Given extends readonly unknown[]>(
    onStore: (work: Work) => AnswerOutcome,
    work: (service: Service & Sender, ...given: Given) => AnswerOutcome | Awaited<AnswerOutcome>,
  ) =>
  // Commander gives the command itself, too, behind its options.
  (...given: [...Given, ...unknown[]]): Promise<void> =>
    answerAnywhere(given.findLast((one) => !(one instanceof Command)) as { json?: boolean }, () =>
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
export const answerAnywhere = async (
  { json = false }: { json?: boolean },
  work: () => AnswerOutcome,
): Promise<void> => {
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

/** Answers as `answerAnywhere` does, on the machine of the store alone. */
export const answer = (options: { json?: boolean }, work: () => AnswerOutcome): Promise<void> =>
  answerAnywhere(options, remoteServer() === undefined ? work : async () => noEndpoint());

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
    onShop(async ({ send }) => answerFrom(await send('findAccount', { account: named }), () => '')),
  );
  if (found.ok) {
    const { account_id } = found.value.json as { readonly account_id: number };
    if (isArgument) command.processedArgs[0] = account_id;
    else command.setOptionValue('account', account_id);
    return;
  }
  await answerAnywhere({ json }, async () => found);
  // The refusal was shown and the exit code is set; this only keeps the command from running.
  throw new CommanderError(0, 'account_not_found', '');
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
export const operatorPermit = (through = runningCommand()): Permit =>
  grantPermit(() => ({ kind: 'command', id: userName(), account_id: null, through, from: hostname() }));
