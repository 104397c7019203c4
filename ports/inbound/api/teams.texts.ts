import { inGroup } from '../documented.ts';

export const apiTeamsTexts = inGroup('License', {
  showTeam: {
    summary: 'Show a team',
    description:
      'The people who share the units of a product whose `slots` are persons with their seats. The account that bought the product owns the team and has a seat itself. A person with the role `billing` names the owner.',
    tool: {
      description: 'Shows who has a seat of a product, who is invited, and how many seats are free or over-used.',
    },
  },
  inviteToTeam: {
    summary: 'Invite a person to a team',
    description:
      'Mails an invitation, which holds its seat for 14 days. The person accepts it with the account of that address, which need not exist yet, and then signs in to the product with devices of its own. The answer does not tell whether the address has an account. An open invitation of the address is mailed again; a person who accepted changes nothing. With the owner’s own address, the owner takes back the seat that it gave up. A team invites at most 100 times in a day (UTC); more are 429.',
    tool: { description: 'Mails a person an invitation to a seat of a product. Ask the user for the address first.' },
    bodyExample: { email: 'newcomer@example.com', role: 'member' },
  },
  removeFromTeam: {
    summary: 'Remove a person from a team',
    description:
      'Takes back a seat or an invitation. The next license check of the person is refused, and the devices of the product are released, unless the person has it otherwise. A token that a device already has works until its `exp`. `removed` is false for a person who is gone, so that a call can be repeated. Without `person_id` a person leaves the team, and the owner gives up the own seat.',
    tool: {
      description: 'Takes back the seat of a person, by the `id` that show_team lists. Ask the user first.',
    },
    bodyExample: { person_id: 373_283_905_540_002 },
  },
});
