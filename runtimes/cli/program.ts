import { Command, CommanderError } from 'commander';
import { accountCommands } from './account.ts';
import { agentTokenCommands } from './agent-token.ts';
import { artifactKeyCommand } from './artifact-key.ts';
import { collectCommands } from './collect.ts';
import { doctorCommand } from './doctor.ts';
import { grantCommand } from './grant.ts';
import { importCommand } from './import.ts';
import { keyCommands } from './key.ts';
import { migrateCommand } from './migrate.ts';
import { openapiCommand } from './openapi.ts';
import { policyCommands } from './policy.ts';
import { publishCommand } from './publish.ts';
import { releaseCommands } from './release.ts';
import { reportCommands } from './reports.ts';
import { signingKeyCommands } from './signing-key.ts';

/**
 * The code of Commander's error, with exit code 1, for a group that was named without a command. Commander has shown
 * the group's help by then.
 */
const HELP_INSTEAD = 'commander.help';

const makeProgram = (writeErr: (text: string) => void): Command => {
  const program = new Command('account-service')
    .description('the operator’s tool of the account service; the environment names the store')
    .exitOverride()
    .configureOutput({ writeErr });
  for (const add of [
    importCommand,
    publishCommand,
    releaseCommands,
    accountCommands,
    keyCommands,
    agentTokenCommands,
    grantCommand,
    policyCommands,
    signingKeyCommands,
    artifactKeyCommand,
    reportCommands,
    collectCommands,
    openapiCommand,
    doctorCommand,
    migrateCommand,
  ]) {
    add(program);
  }
  return program;
};

/** Runs one command and sets the exit code of the process. */
export const run = async (argv: readonly string[]): Promise<void> => {
  const complaints: string[] = [];
  try {
    await makeProgram((text) => complaints.push(text)).parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    const wrong = error.code === HELP_INSTEAD ? 'error: name a command; --help lists them\n' : complaints.join('');
    process.stderr.write(wrong);
    process.exitCode = 2;
  }
};
