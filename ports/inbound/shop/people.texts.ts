import { inGroup } from '../documented.ts';

export const shopPeopleTexts = inGroup('Shop', {
  listMembers: {
    summary: 'List the members of the shop',
    description: 'The people who may sign in to the console, with their roles, by account.',
    tool: { description: 'The people who run the shop in its console.' },
  },
  addMember: {
    summary: 'Add a member',
    description:
      'Lets the owner of an address sign in to the console with a role, and opens an account for a new address. A shop that sends mail sends a one-time link there.',
    tool: {
      description: 'Whoever reads mail at the address runs the shop with this role. Ask the person first.',
    },
    bodyExample: { email: 'bo@example.com', name: 'Bo', role: 'support' },
  },
  changeMember: {
    summary: 'Change the role or the name of a member',
    description:
      'A field that is left out stays. The role holds from the next request on. The last member with the role `everything` keeps it.',
    tool: { description: 'Gives a member another role or name. Ask the person first.' },
    bodyExample: { role: 'orders' },
  },
  removeMember: {
    summary: 'Remove a member',
    description:
      'Closes the console to a member from the next request on, and ends its browsers and passkeys there. The account stays. The last member with the role `everything` can’t be removed.',
    tool: { description: 'The member can’t sign in to the console any more. Ask the person first.' },
  },
  createMemberLink: {
    summary: 'Make a link to the console',
    description: 'A link that signs a member in to the console once, within the hour, shown this once or mailed.',
    tool: { description: 'Anybody with the link can run the shop: give it only to the member.' },
    bodyExample: { mail: true },
  },
  listAgentTokens: {
    summary: 'List the tokens',
    description: 'The live tokens of the shop’s own systems and of design agents, oldest first, without their values.',
    tool: { description: 'Which systems and agents have a token, and its role.' },
  },
  createAgentToken: {
    summary: 'Create a token',
    description:
      'Returns the value of a new token, once. The roles `collect`, `read`, `write` and `review` are for the design host, the others for the shop host.',
    tool: { description: 'The value is shown once; give it to nobody else. Ask the person for the role.' },
    bodyExample: { role: 'orders', name: 'Warehouse' },
  },
  revokeAgentToken: {
    summary: 'Revoke a token',
    description: 'Ends a token from the next request on.',
    tool: { description: 'Whatever uses the token stops working. Ask the person first.' },
  },
});
