import { StoredAccounts } from '../../adapters/store/accounts.ts';
import type { Table } from '../../adapters/store/table.ts';
import { StoredTeams } from '../../adapters/store/teams.ts';
import { audited } from './audited.ts';

/** The repositories of teams and of the accounts of their people on one table. */
export const teamsOn = (table: Table) => {
  const parts = audited(table);
  return { teams: new StoredTeams(parts), accounts: new StoredAccounts(parts) };
};
