import type { Command } from 'commander';
import type { Account } from '../../domain/accounts/account.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { type Answered, answer, leaf, onAccounts, onNewAccounts, onService } from './command.ts';
import { operatorPermit } from './operator.ts';
import { checkPasswordOptions, type PasswordOptions, readPassword, withPasswordOptions } from './password.ts';
import { facts, table } from './print.ts';
import { id, line } from './values.ts';

type Options = { json?: boolean };

const view = ({ id, email, name, created_at }: Account) => ({ id, email, name, created_at });

/** True for an e-mail address by zod's rule, which store documents follow too. */
const isEmail = async (text: string): Promise<boolean> => {
  const z = await import('zod');
  return z.email().max(254).safeParse(text).success;
};

type AddOptions = Options & PasswordOptions & { email: string; name?: string };

const add = async (options: AddOptions): Answered => {
  const { email, name = null } = options;
  const wantsPassword = Boolean(options.password ?? options.passwordStdin);
  const password = wantsPassword ? await readPassword(options) : ok(null);
  if (!password.ok) return password;
  return onNewAccounts(async (service) => {
    const added = await service
      .get('addAccount')
      .execute(operatorPermit('account add'), { email, name, password: password.value });
    if (!added.ok) return added;
    const { id: accountId } = added.value;
    return ok({
      json: view(added.value),
      text: facts([
        ['account', accountId],
        ['email', email],
        ['name', name],
      ]),
    });
  });
};

const addCommand = (group: Command): void => {
  const command = leaf(group, 'add', 'open an account')
    .requiredOption('--email <address>', 'e-mail address that no other account has')
    .option('--name <name>', 'name of the owner', line);
  withPasswordOptions(command).action(async (options: AddOptions) => {
    checkPasswordOptions(command, options);
    if (!(await isEmail(options.email))) command.error("error: option '--email <address>' takes an e-mail address");
    await answer(options, () => add(options));
  });
};

const resetPassword = async (accountId: number, options: PasswordOptions): Answered => {
  const password = await readPassword(options);
  if (!password.ok) return password;
  return onService(async (service) => {
    const wish = { accountId, password: password.value };
    const reset = await service.get('resetPassword').execute(operatorPermit('account password'), wish);
    if (!reset.ok) return reset;
    return ok({
      json: { account_id: accountId, password: 'set' },
      text: `Account ${accountId} has a new password, and its browsers are signed out. Its keys and connected applications go on.`,
    });
  });
};

const passwordCommand = (group: Command): void => {
  const command = leaf(group, 'password', 'set the password of an account and sign its browsers out').requiredOption(
    '--account <id>',
    'account that gets the password',
    id,
  );
  withPasswordOptions(command).action((options: Options & PasswordOptions & { account: number }) => {
    checkPasswordOptions(command, options);
    return answer(options, () => resetPassword(options.account, options));
  });
};

const listCommand = (group: Command): void => {
  leaf(group, 'list', 'list the accounts').action((options: Options) =>
    answer(options, () =>
      onAccounts(async (service) => {
        const accounts = (await service.get('listAccounts').execute()).map(view);
        const rows = accounts.map(({ id, email, name, created_at }) => [id, email, name, created_at]);
        return ok({ json: accounts, text: table(['id', 'email', 'name', 'created'], rows) });
      }),
    ),
  );
};

const link = (accountId: number): Answered =>
  onService(async (service) => {
    const created = await service.get('createSignInLink').execute(operatorPermit('account link'), accountId);
    if (!created.ok) return created;
    const { code, expires_at } = created.value;
    const url = service.get('links').signInLink(code);
    return ok({
      json: { account_id: accountId, url, expires_at },
      text: `A link that signs account ${accountId} in once, shown this once:\n\n  ${url}\n\n${facts([['until', expires_at]])}`,
    });
  });

const linkCommand = (group: Command): void => {
  leaf(group, 'link', 'make a link that signs the owner of an account in once, within the hour')
    .requiredOption('--account <id>', 'account that the link signs in', id)
    .action((options: Options & { account: number }) => answer(options, () => link(options.account)));
};

export const accountCommands = (program: Command): void => {
  const group = program.command('account').description('accounts');
  addCommand(group);
  listCommand(group);
  linkCommand(group);
  passwordCommand(group);
};
