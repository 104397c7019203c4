import type { Command } from 'commander';
import { addCommand, calls } from './command.ts';
import { tableOf } from './print.ts';
import type { AnswerOf } from './send.ts';
import { ACCOUNT_HELP, account, id, PRODUCT_HELP, productName } from './values.ts';

type Team = AnswerOf<'inviteToAccountTeam'>;

const peopleText = tableOf<Team['people'][number]>('id', 'email', 'role', {
  seat: ({ has_seat }) => (has_seat ? 'yes' : 'no'),
  'invited until': ({ invited_until }) => invited_until ?? '',
});

const teamText = ({ seats: { used, limit }, people, accept_url }: Team): string =>
  `${used} of ${limit} seats taken; invited people accept at ${accept_url}\n${peopleText(people)}`;

export const teamCommands = (program: Command): void => {
  const group = program.command('team').description('the people who share the seats of an account');
  addCommand(group, 'list', 'list the seats of an account with the people who have them')
    .argument('<account>', ACCOUNT_HELP, account)
    .action(
      calls('listAccountTeams', {
        text: ({ teams }, { account }) =>
          teams.map((team) => `${team.slug}: ${teamText(team)}`).join('\n\n') ||
          `Account ${account} has no product with seats.`,
      }),
    );
  addCommand(group, 'invite', 'invite a person to a team, or mail an open invitation again')
    .argument('<account>', ACCOUNT_HELP, account)
    .argument('<email>', 'address of the person')
    .requiredOption('--product <product>', PRODUCT_HELP, productName)
    .option('--billing', 'the person manages the seats and has none')
    .action(
      calls('inviteToAccountTeam', {
        fields: ({ billing }) => ({ role: billing ? 'billing' : 'member' }),
        text: teamText,
      }),
    );
  addCommand(group, 'remove', 'take back the seat of a person, or an invitation')
    .argument('<account>', ACCOUNT_HELP, account)
    .argument('<person>', 'id of the person, as "team list" shows it', id)
    .requiredOption('--product <product>', PRODUCT_HELP, productName)
    .option('--yes', 'do not ask for confirmation')
    .action(
      calls('removeFromAccountTeam', {
        loss: ({ person, product }) => `Person ${person} loses the seat, and the devices of ${product}.`,
        text: ({ removed }, { person }) =>
          removed ? `Person ${person} is no longer in the team.` : `The team has no person ${person}.`,
      }),
    );
};
