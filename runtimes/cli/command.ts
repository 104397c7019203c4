import { hostname, userInfo } from 'node:os';
import { Command, CommanderError, type CommandOptions, Help } from 'commander';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { Service } from '../composition/bootstrap.ts';
import { oneLine } from '../configuration/installation.ts';
import { afterTrial, confirmed } from './ask.ts';
import { NO_ENDPOINT, remoteServer, runningCommand, runningGroup } from './options.ts';
import { type Progress, plain, printed, withProgress } from './print.ts';
import type { AnswerOf, EntryOf, InputOf, ListId, Sender, ShopId } from './send.ts';

/**
 * The output of a command: `json` with `--json`, otherwise `text`, or null if it has printed a file. `failed` marks
 * output that reports a problem.
 */
export type Answer = { readonly json: unknown; readonly text: string | null; readonly failed?: boolean };

export type AnswerOutcome = Promise<Outcome<Answer, string>>;

/** Adds a command to a group or to the program. Every command has `--json`. A default command runs where its group is named alone. */
export const addCommand = (parent: Command, usage: string, description: string, terms: CommandOptions = {}): Command =>
  parent.command(usage, terms).description(description).option('--json', 'print one JSON value and nothing else');

/** The width of text below a command's help, in columns. It suits a small terminal. */
const COLUMNS = 80;

/** Wraps the lines of a text below a command's help. */
export const wrapped = (text: string): string => new Help().boxWrap(text, COLUMNS);

/** The answer of a command from the outcome of a use case. Without its own text, the JSON is printed. */
export const answerFrom = <T>(
  outcome: Outcome<T, string>,
  text: (value: T) => string = (value) => printed(json(value) as object),
  json: (value: T) => unknown = (value) => value,
): Outcome<Answer, string> => (outcome.ok ? ok({ json: json(outcome.value), text: text(outcome.value) }) : outcome);

/** Work on a service whose endpoints it can call. */
type Work = (service: Service & Sender) => AnswerOutcome;

const noEndpoint = () => refuse('no_endpoint', { message: NO_ENDPOINT });

/** Runs work on the shop host of a remote server, with the token in SHOP_TOKEN. The work can only call endpoints. */
const onServer = async (server: string, work: Work): AnswerOutcome => {
  const token = process.env['SHOP_TOKEN']?.trim() ?? '';
  // A header can hold only these characters.
  if (!/^[!-~]+$/.test(token)) {
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

/** Runs work on the store of this machine, and creates a missing store. */
export const onNewService = async (work: Work, group = runningGroup()): AnswerOutcome => {
  if (remoteServer() !== undefined) return noEndpoint();
  const { withService, localSender } = await import('./open-service.ts');
  return withService(group, (service) => work({ ...service, ...localSender(service, operatorPermit()) }));
};

/** Runs work on the existing store of this machine. If there is none, refuses and creates none. */
export const onService = async (work: Work, group?: string): AnswerOutcome => {
  if (remoteServer() !== undefined) return noEndpoint();
  const { missingStore } = await import('./open-service.ts');
  return (await missingStore()) ?? onNewService(work, group);
};

/** Runs work on the remote server, if one is named, otherwise on this machine with the service of the group. */
const anywhere =
  (here: (work: Work, group?: string) => AnswerOutcome) =>
  (work: Work, group?: string): AnswerOutcome => {
    const server = remoteServer();
    return server === undefined ? here(work, group) : onServer(server, work);
  };

export const onNewShop = anywhere(onNewService);
export const onShop = anywhere(onService);

/**
 * If DATA_DIR has no store, runs a check on an empty store in memory, so that a command with invalid input is refused
 * before it creates a store. Otherwise does nothing.
 */
export const beforeNewStore = async <T>(
  check: (service: Service) => Promise<Outcome<T, string>>,
): Promise<Outcome<T | null, string>> => {
  const { missingStore, withEmptyService } = await import('./open-service.ts');
  return (await missingStore()) === null ? ok(null) : withEmptyService(check);
};

/** The action of a command: work on a service, with the command's arguments and then its options. */
export const runsOn =
  <Args extends readonly unknown[]>(
    onStore: (work: Work) => AnswerOutcome,
    work: (service: Service & Sender, ...args: Args) => AnswerOutcome | Awaited<AnswerOutcome>,
  ) =>
  // Commander also passes the command itself, after its options.
  (...args: [...Args, ...unknown[]]): Promise<void> =>
    answerAnywhere(args.findLast((one) => !(one instanceof Command)) as { json?: boolean }, () =>
      onStore(async (service) => work(service, ...(args as unknown as Args))),
    );

/** The arguments and options of a command under the names of fields: `--device-limit` is `device_limit`. */
export type Named = Readonly<Record<string, string | number | boolean | undefined>>;

const namedBy = ({ registeredArguments, processedArgs }: Command, options: object): Named =>
  Object.fromEntries(
    [...registeredArguments.map((one, n) => [one.name(), processedArgs[n]] as const), ...Object.entries(options)].map(
      ([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value],
    ),
  );

/** The texts of a command that calls an endpoint. Each function also gets the command's arguments and options. */
type Terms<T> = {
  /** The text of an answer; its JSON by default. */
  readonly text?: (answer: T, named: Named) => string;
  readonly json?: (answer: T, named: Named) => unknown;
  /** The fields that the command names otherwise. */
  readonly fields?: (named: Named) => object;
  /** The sentence about what will be lost, which is asked before the call; null if nothing will be. */
  readonly loss?: (named: Named) => string | null;
  /** The same sentence, made from the answer to a trial, which `--dry-run` shows; null if nothing will be lost. */
  readonly lossAfter?: (tried: T, named: Named) => string | null;
  /** Fields of a trial's answer for the JSON of the refusal of a script that confirms nothing. */
  readonly lossData?: (tried: T) => Readonly<Record<string, unknown>>;
  /** True if the call takes long, and shows its progress. */
  readonly slow?: true;
  /** The store on which the command runs; by default an existing one. */
  readonly on?: typeof onShop;
};

const action =
  <T>(call: (sender: Sender, input: object, progress?: Progress) => Promise<Outcome<T, string>>, terms: Terms<T>) =>
  (...args: readonly unknown[]): Promise<void> => {
    const command = args.at(-1) as Command;
    const named = namedBy(command, command.opts());
    const { text, json, fields, lossAfter, lossData, on = onShop } = terms;
    const input = { ...named, ...fields?.(named) };
    return answerAnywhere(command.opts(), () =>
      on(async (sender) => {
        const change = (trial: boolean) => {
          const tried = trial ? { ...input, trial } : input;
          return terms.slow ? withProgress((progress) => call(sender, tried, progress)) : call(sender, tried);
        };
        const asked = await confirmed(command.opts(), terms.loss?.(named) ?? null);
        if (!asked.ok) return asked;
        const done =
          lossAfter && !named['dry_run']
            ? await afterTrial(command.opts(), change, (tried) => lossAfter(tried, named), lossData)
            : await change(named['dry_run'] === true);
        return answerFrom(done, text && ((answer) => text(answer, named)), json && ((answer) => json(answer, named)));
      }),
    );
  };

/** The action of a command that calls one endpoint. Its arguments and options have the names of the endpoint's fields. */
export const calls = <Id extends ShopId>(id: Id, terms: Terms<AnswerOf<Id>> = {}) =>
  action(({ send }, input, progress) => send(id, input as InputOf<Id>, progress), terms);

/** Like `calls`, for an endpoint that lists. */
export const lists = <Id extends ListId>(id: Id, terms: Terms<readonly EntryOf<Id>[]>) =>
  action(({ list }, input, progress) => list(id, input as InputOf<Id>, progress), terms);

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
    // Text from strangers must not control the terminal.
    const text = json ? JSON.stringify(value.json) : value.text?.split('\n').map(plain).join('\n');
    if (text !== undefined) process.stdout.write(`${text}\n`);
    if (value.failed) process.exitCode = 1;
    return;
  }
  const { code, message, data } = outcome;
  if (json) process.stdout.write(`${JSON.stringify({ error: code, message, ...data })}\n`);
  process.stderr.write(`${refusedLines(outcome)}\n`);
  process.exitCode = 1;
};

/** Like `answerAnywhere`, but only on the machine of the store. */
export const answer = (options: { json?: boolean }, work: () => AnswerOutcome): Promise<void> =>
  answerAnywhere(options, remoteServer() === undefined ? work : async () => noEndpoint());

/**
 * Replaces an account's email address in a command's option or argument by the account's id. Ends the command if the
 * address is unknown.
 */
export const findAccount = async (command: Command): Promise<void> => {
  const { account, json = false } = command.opts<{ account?: number | string; json?: boolean }>();
  const isArgument = command.registeredArguments[0]?.name() === 'account';
  const named: unknown = isArgument ? command.processedArgs[0] : account;
  if (typeof named !== 'string') return;
  const found = await attempt(() =>
    onShop(async ({ send }) => answerFrom(await send('findAccount', { account: named }), () => ''), 'account'),
  );
  if (found.ok) {
    const { account_id } = found.value.json as { readonly account_id: number };
    if (isArgument) command.processedArgs[0] = account_id;
    else command.setOptionValue('account', account_id);
    return;
  }
  await answerAnywhere({ json }, async () => found);
  // The refusal was printed and the exit code is set; this only stops the command.
  throw new CommanderError(0, 'account_not_found', '');
};

/** The operator's user name in the operating system; null if there is none, as in some containers. */
const userName = (): string | null => {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
};

/**
 * The permit of an operator's command, which passes no guards. The audit log names who ran the command and on which
 * machine.
 */
export const operatorPermit = (through = runningCommand()): Permit =>
  grantPermit(() => ({ kind: 'command', id: userName(), account_id: null, through, from: hostname() }));
