import { teamsHandlers } from '../../../adapters/pipeline/handlers/teams.ts';

/** The people who share the units of a product. */
export const teams = teamsHandlers;
