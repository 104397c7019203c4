import { inviteToTeam, removeFromTeam, showTeam } from '../../../application/teams/teams.ts';
import { refuse } from '../../../domain/shared/outcome.ts';
import * as apiTeams from '../../../ports/inbound/api/teams.ts';
import { handling } from './handling.ts';

export const teamsHandlers = handling(apiTeams, { showTeam, inviteToTeam, removeFromTeam }, (use) => ({
  showTeam: ({ account_id, product, query }) => use.showTeam({ account_id, product, ...query }),
  inviteToTeam: async ({ account_id, product, body, locale }) => {
    const { role, ...input } = body;
    const loaded = await use.inviteToTeam({ account_id, product, ...input, role: role ?? 'member', locale });
    if (typeof loaded === 'function') return loaded;
    if (loaded.code === 'not_found') return loaded;
    return refuse('validation_failed', { data: { errors: { email: [loaded.message ?? ''] } } });
  },
  removeFromTeam: async ({ account_id, product, body }) => use.removeFromTeam({ account_id, product, ...body }),
}));
