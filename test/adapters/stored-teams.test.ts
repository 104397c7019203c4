import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { teamsContract } from '../contracts/teams.ts';
import { teamsOn } from '../support/teams-on.ts';
import { newFile, open } from './sqlite/folder.ts';

teamsContract('StoredTeams on MemoryTable', () => teamsOn(new MemoryTable()));
teamsContract('StoredTeams on SqliteTable', () => teamsOn(open(newFile())));
