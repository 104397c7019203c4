import * as z from 'zod';
import { TEAM_ROLES } from '../../../domain/teams/team.ts';
import { component } from '../answers.ts';
import { endpointsOf } from '../endpoint.ts';
import { bodyInteger, mailAddress, orNull, product_id, queryInteger } from '../fields.ts';
import { teamData } from './team-data.ts';

const api = endpointsOf({ host: 'api' });

const PATH = '/api/products/{product}/team';
const params = () => z.object({ product: product_id });
const access = { credential: 'key', ability: 'devices.manage', evenHidden: true } as const;
const owner_id = orNull(bodyInteger({ minimum: 1 })).meta({
  description: 'the account whose team it is; the caller’s own if left out',
});

export const showTeam = api({
  id: 'showTeam',
  path: PATH,
  params,
  access,
  query: () => z.object({ owner_id: queryInteger('The account whose team it is; the caller’s own by default.') }),
  answer: () => teamData(),
  refusals: ['not_found'],
  tool: { name: 'show_team', effect: 'reads' },
});

export const inviteToTeam = api({
  id: 'inviteToTeam',
  method: 'POST',
  path: `${PATH}/invite`,
  params,
  access,
  body: () =>
    component('TeamInvitationBody', {
      email: mailAddress,
      role: orNull(z.enum(TEAM_ROLES)).meta({
        description: '`member` (usual) takes a seat; `billing` manages the seats and has none',
      }),
      owner_id,
    }),
  answer: () => teamData(),
  refusals: ['not_found', 'seat_limit_reached', 'validation_failed', 'rate_limited'],
  localized: 'worded',
  tool: { name: 'invite_to_team', effect: 'adds' },
});

export const removeFromTeam = api({
  id: 'removeFromTeam',
  method: 'POST',
  path: `${PATH}/remove`,
  params,
  access,
  body: () =>
    component('TeamRemovalBody', {
      person_id: orNull(bodyInteger({ minimum: 1 })).meta({
        description:
          'the `id` of the person, for the owner and people with the role `billing`; the caller’s own place if left out',
      }),
      owner_id,
    }),
  answer: () =>
    component('TeamRemovalData', { removed: z.boolean().describe('false where the team has no such person') }),
  refusals: ['not_found', 'validation_failed', 'rate_limited'],
  tool: { name: 'remove_from_team', effect: 'destroys' },
});
