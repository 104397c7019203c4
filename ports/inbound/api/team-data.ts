import * as z from 'zod';
import { TEAM_ROLES } from '../../../domain/teams/team.ts';
import { component, dateTime, id, once } from '../answers.ts';

/** A team with its people, as its managers and the shop see it. */
export const teamData = once(() =>
  component('TeamData', {
    product_id: id,
    owner_id: id.describe('the account whose purchases give the seats'),
    accept_url: z.string().describe('the page on which an invited person accepts, also if no mail arrived'),
    seats: z.object({ used: z.int(), limit: z.int() }),
    over_used: z
      .int()
      .describe('the seats taken beyond the limit, after a quantity was lowered: nobody loses one, and none is given'),
    people: z.array(
      z.object({
        id: id.describe('names the person in this team; that of the owner is `owner_id`'),
        email: z.string(),
        role: z.enum(['owner', ...TEAM_ROLES]),
        has_seat: z.boolean(),
        invited_until: dateTime.nullable().describe('the end of an invitation that is not accepted; null otherwise'),
      }),
    ),
  }),
);
