import { type Command, Option } from 'commander';
import { SHOP_ROLES, type ShopRole } from '../../domain/access/principal.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { addCommand, calls, lists, onNewShop, runsOn } from './command.ts';
import { facts, tableOf } from './print.ts';
import type { AnswerOf, EntryOf } from './send.ts';
import { ACCOUNT_HELP, account, line } from './values.ts';

type Options = { role?: ShopRole; name?: string };

const membersText = tableOf<EntryOf<'listMembers'>>('account_id', 'email', 'name', 'role', {
  state: ({ suspended }) => (suspended ? 'suspended' : 'open'),
});

const linkText = ({ url, expires_at }: AnswerOf<'createMemberLink'>): string =>
  `A link that opens the console once, shown this once:\n\n  ${url}\n\n${facts({ until: expires_at })}`;

const roleOption = (): Option =>
  new Option('--role <role>', 'what the member may do in the console').choices(SHOP_ROLES);

export const ownerCommands = (program: Command): void => {
  const group = program.command('owner').description('the people who run the shop in its console');
  addCommand(group, 'list', 'list the people who run the shop').action(lists('listMembers', { text: membersText }));
  addCommand(group, 'add', 'let somebody run the shop, and open an account for a new address')
    .argument('<email>', 'email address, to which a shop with mail sends a link to the console', line)
    .addOption(roleOption().default('everything'))
    .option('--name <name>', 'name in the console and in the audit log; default: the start of the address', line)
    .option('--link', 'show a link that opens the console once')
    .action(
      runsOn(onNewShop, async ({ send }, email: string, input: Options & { link?: true }) => {
        const { role = 'everything', name = email.split('@', 1)[0] as string } = input;
        const added = await send('addMember', { email, name, role });
        if (!added.ok) return added;
        const link = input.link ? await send('createMemberLink', { account: added.value.account_id }) : null;
        if (link?.ok === false) return link;
        const { account_id, mailed_to } = added.value;
        const who = `${email} (account ${account_id}) runs the shop with the role ${role}.`;
        const next = mailed_to
          ? `A link to the console was mailed to ${mailed_to}.`
          : `Its link: owner link ${account_id}`;
        const text = `${who}\n${link ? `\n${linkText(link.value)}` : next}`;
        return ok({ json: { ...added.value, ...(link && { url: link.value.url }) }, text });
      }),
    );
  addCommand(group, 'link', 'create a link that opens the console once, within an hour')
    .argument('<account>', ACCOUNT_HELP, account)
    .action(calls('createMemberLink', { text: linkText }));
  const changing = addCommand(group, 'change', 'change the role or the name of a member, from the next request on')
    .argument('<account>', ACCOUNT_HELP, account)
    .addOption(roleOption())
    .option('--name <name>', 'name in the console and in the audit log', line);
  changing.action((...args: unknown[]) => {
    if (Object.keys(changing.opts<Options>()).every((name) => name === 'json')) {
      changing.error("error: name what to change: '--role' or '--name'");
    }
    return calls('changeMember')(...args);
  });
  addCommand(group, 'remove', 'close the console to a member, from the next request on; the account stays')
    .argument('<account>', ACCOUNT_HELP, account)
    .option('--yes', 'do not ask for confirmation')
    .action(
      calls('removeMember', {
        loss: ({ account }) => `Account ${account} can’t open the console any more.`,
        text: ({ member: { email } }) => `${email} can’t open the console any more. The account stays.`,
      }),
    );
};
