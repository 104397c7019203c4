import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, type OutputConfiguration } from 'commander';
import { packageRoot } from '../configuration/installation.ts';

/**
 * Commander's error code, with exit code 1, for a group without a command. By then, Commander has printed the group's
 * help.
 */
const HELP_INSTEAD = 'commander.help';

type Add = (program: Command) => void;

/** The commands and groups by name, in the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<Add>>> = {
  import: async () => (await import('./document.ts')).importCommand,
  export: async () => (await import('./document.ts')).exportCommand,
  publish: async () => (await import('./release.ts')).publishCommand,
  release: async () => (await import('./release.ts')).releaseCommands,
  account: async () => (await import('./account.ts')).accountCommands,
  key: async () => (await import('./key.ts')).keyCommands,
  owner: async () => (await import('./owner.ts')).ownerCommands,
  'agent-token': async () => (await import('./key.ts')).agentTokenCommands,
  device: async () => (await import('./device.ts')).deviceCommands,
  license: async () => (await import('./license.ts')).licenseCommands,
  team: async () => (await import('./team.ts')).teamCommands,
  trial: async () => (await import('./trial.ts')).trialCommands,
  grant: async () => (await import('./grant.ts')).grantCommands,
  product: async () => (await import('./product.ts')).productCommands,
  usage: async () => (await import('./product.ts')).usageCommands,
  order: async () => (await import('./sales.ts')).orderCommands,
  event: async () => (await import('./sales.ts')).eventCommands,
  sync: async () => (await import('./sales.ts')).syncCommand,
  subscription: async () => (await import('./sales.ts')).subscriptionCommands,
  sums: async () => (await import('./sales.ts')).sumsCommands,
  policy: async () => (await import('./policy.ts')).policyCommands,
  'signing-key': async () => (await import('./signing-key.ts')).signingKeyCommands,
  'artifact-key': async () => (await import('./signing-key.ts')).artifactKeyCommand,
  reports: async () => (await import('./reports.ts')).reportCommands,
  look: async () => (await import('./look.ts')).lookCommands,
  notices: async () => (await import('./look.ts')).noticesCommands,
  audit: async () => (await import('./audit.ts')).auditCommands,
  webhook: async () => (await import('./webhook.ts')).webhookCommands,
  collect: async () => (await import('./collect.ts')).collectCommands,
  openapi: async () => (await import('./document.ts')).openapiCommand,
  search: async () => (await import('./search.ts')).searchCommand,
  doctor: async () => (await import('./copy.ts')).doctorCommand,
  backup: async () => (await import('./copy.ts')).backupCommand,
  restore: async () => (await import('./copy.ts')).restoreCommand,
  migrate: async () => (await import('./copy.ts')).migrateCommand,
};

/** The words that call a command. `grant add` is its group's default command, so the group's name calls it. */
const wordsOf = (command: Command): string => {
  const words = command.parent?.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name();
  return words === 'grant add' ? 'grant' : words;
};

/** The command or group in the first argument that is not an option; all of them for help or a mistake. */
const commandsIn = (argv: readonly string[]): Promise<Add[]> => {
  const first = argv.find((word, n) => !word.startsWith('-') && argv[n - 1] !== '--server') ?? '';
  const named = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  return Promise.all((named ? [named] : Object.values(COMMANDS)).map((load) => load()));
};

const version = (): string => {
  const { version: text } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    version: string;
  };
  return text;
};

const filled = (text: string): string => {
  if (text !== '') return text;
  throw new InvalidArgumentError('It is empty.');
};

const serverAddress = (text: string): string => {
  const { protocol = '', username, search, hash } = URL.parse(text) ?? {};
  if (/^https?:$/.test(protocol) && !username && !search && !hash) return text;
  throw new InvalidArgumentError('It takes an address such as https://shop.example.com.');
};

/** The advice on an unknown option that is none of the command. */
const adviceOn = (complaint: string): string => {
  if (complaint.includes("option '--server'")) return 'Put --server before the command.\n';
  return /unknown option '-[^-]/.test(complaint) ? 'Put -- before a value that begins with a hyphen.\n' : '';
};

/**
 * Refuses an empty value, which a script passes for a variable that is not set, and a repeated option, because Commander
 * would silently use the last value. An option whose parser takes the previous value collects them instead.
 */
const checkValues = (command: Command): void => {
  const { registeredArguments, options } = command;
  for (const one of [...registeredArguments, ...options.filter(({ required }) => required)]) {
    if (!one.parseArg) one.argParser(filled);
  }
  const seen = new Set<string>();
  for (const option of options.filter(({ required, optional }) => required || optional)) {
    const { argChoices, variadic, parseArg } = option;
    if (argChoices ? variadic : (parseArg?.length ?? 0) > 1) continue;
    command.on(`option:${option.name()}`, () => {
      if (seen.has(option.name())) command.error(`error: option '${option.flags}' was given twice; give it once`);
      seen.add(option.name());
    });
  }
  for (const inner of command.commands) checkValues(inner);
};

/**
 * The program with the command or group that the first argument names, or with every command. Help and complaints go to
 * `output`. The program ends by throwing CommanderError.
 */
export const programFor = async (argv: readonly string[], output: OutputConfiguration): Promise<Command> => {
  const adds = await commandsIn(argv);
  const program = new Command('account-service')
    .description('operator tool of the account service; the environment selects the store')
    .version(version(), '--version', 'print the version of this package')
    .option('--json', 'the same as --json after the command')
    .option(
      '--server <url>',
      'run the command on the shop host of a remote server, with the token in SHOP_TOKEN',
      serverAddress,
    )
    // An option after a command belongs to the command, such as --version of publish.
    .enablePositionalOptions()
    .hook('preAction', async (whole, command) => {
      if (whole.opts()['json']) command.setOptionValue('json', true);
      const { server } = whole.opts<{ server?: string }>();
      (await import('./options.ts')).setRunning(wordsOf(command), server);
      await (await import('./command.ts')).findAccount(command);
    })
    .exitOverride()
    // Commander wraps a description only if at least this many columns remain beside the longest option.
    .configureHelp({ minWidthToWrap: 30 })
    .configureOutput(output);
  for (const add of adds) add(program);
  checkValues(program);
  return program;
};

/** Runs one command and sets the exit code of the process. */
export const run = async (argv: readonly string[]): Promise<void> => {
  const complaints: string[] = [];
  try {
    const program = await programFor(argv, { writeErr: (text) => complaints.push(text) });
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    const complaint =
      error.code === HELP_INSTEAD ? 'error: missing command; --help lists the commands\n' : complaints.join('');
    process.stderr.write(complaint + adviceOn(complaint));
    process.exitCode = 2;
  }
};
