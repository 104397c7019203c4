import { PostgresTable } from '../../adapters/postgres/postgres-table.ts';
import { tableContract } from '../contracts/table.ts';
import { tableDumpContract } from '../contracts/table-dump.ts';
import { newDatabase } from './databases.ts';

const shared = newDatabase();
const open = async () => PostgresTable.open(await shared);
tableContract('PostgresTable', open, { another: open, outage: null });
const dumped = newDatabase();
tableDumpContract(
  'PostgresTable',
  async () => {
    const table = await PostgresTable.open(await dumped);
    return { table, dump: table };
  },
  { outage: null },
);
