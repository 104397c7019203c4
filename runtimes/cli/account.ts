import type { Command } from 'commander';
import type { Account } from '../../domain/accounts/account.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { type Answered, answer, leaf, onAccounts, onService } from './command.ts';
import { operatorPermit } from './operator.ts';
import { facts, table } from './print.ts';
import { id, line, password } from './values.ts';

type Options = { json?: boolean };

const view = ({ id, email, name, created_at }: Account) => ({ id, email, name, created_at });

/** True for an e-mail address by zod's rule, which store documents follow too. */
const isEmail = async (text: string): Promise<boolean> => {
  const z = await import('zod');
  return z.email().max(254).safeParse(text).success;
};

const addCommand = (group: Command): void => {
  const command = leaf(group, 'add', 'open an account')
    .requiredOption('--email <address>', 'e-mail address that no other account has')
    .option('--name <name>', 'name of the owner', line)
    .option('--password <password>', 'password to sign in with; 8 to 256 characters', password);
  command.action(async (options: Options & { email: string; name?: string; password?: string }) => {
    const { email, name = null } = options;
    if (!(await isEmail(email))) command.error("error: option '--email <address>' takes an e-mail address");
    await answer(options, () =>
      onAccounts(async (service) => {
        const added = await service
          .get('addAccount')
          .execute(operatorPermit('account add'), { email, name, password: options.password ?? null });
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
      }),
    );
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
};
