import { afterAll } from 'vitest';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { teamsContract } from '../contracts/teams.ts';
import { teamsOn } from '../support/teams-on.ts';
import { newTable } from './support/tables.ts';

const tables: DynamodbTable[] = [];
afterAll(() => Promise.all(tables.map((table) => table.close())));

teamsContract('StoredTeams on DynamodbTable', async () => {
  const table = new DynamodbTable(await newTable());
  tables.push(table);
  return teamsOn(table);
});
