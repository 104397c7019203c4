import type { Command } from 'commander';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { judgeNewPassword, LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../../domain/sign-in/password-rules.ts';
import { ask, firstLine, isTerminal, ownTerminal, type Terminal } from './ask.ts';

/** `password` is a text only where somebody gave a value to the option, which is refused. */
export type PasswordOptions = { readonly password?: string | true; readonly passwordStdin?: true };

const SEEN =
  "error: option '--password' takes no value, which other users would see in the list of processes and your shell would keep in its history; leave the value out to be asked for it, or pipe it in with '--password-stdin'";

/** Adds the two ways to give a password to a command. Neither takes the password as an argument. */
export const withPasswordOptions = (command: Command): Command =>
  command
    .option('--password [value]', `ask for a password, ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`)
    .option('--password-stdin', 'read the password from the first line of standard input')
    .configureHelp({ optionTerm: ({ flags }) => flags.replace(' [value]', '') });

/** Ends the command with wrong usage for a password in its arguments, or for both ways at once. Repeats no password. */
export const checkPasswordOptions = (command: Command, { password, passwordStdin }: PasswordOptions): void => {
  if (typeof password === 'string') command.error(SEEN);
  if (password && passwordStdin) command.error("error: give either '--password' or '--password-stdin'");
};

const asked = async (terminal: Terminal): Promise<Outcome<string, string>> => {
  if (!isTerminal(terminal)) {
    return refuse('no_terminal', {
      message: 'There is no terminal on which to ask for the password; pipe it in with --password-stdin.',
    });
  }
  const typed = await ask(['Password: ', 'Again: '], { hidden: true }, terminal);
  if (typed === null) return refuse('no_password', { message: 'Nothing has changed, because no password was typed.' });
  const [first = '', second] = typed;
  return first === second ? ok(first) : refuse('passwords_differ', { message: 'The two passwords differ; try again.' });
};

const piped = async ({ input }: Terminal): Promise<Outcome<string, string>> => {
  const line = await firstLine(input);
  return line === null
    ? refuse('no_password', { message: 'Standard input is empty; its first line has to be the password.' })
    : ok(line);
};

/** The password that the options ask for, from standard input or typed twice on a terminal. */
export const readPassword = async (
  { passwordStdin }: PasswordOptions,
  terminal = ownTerminal(),
): Promise<Outcome<string, string>> => {
  const given = await (passwordStdin ? piped(terminal) : asked(terminal));
  if (!given.ok) return given;
  const judged = judgeNewPassword(given.value);
  return judged.ok ? given : judged;
};
