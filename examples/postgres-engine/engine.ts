import type { TableEngine } from 'account-service/engines';
import { Database } from './database.ts';
import { PostgresTable } from './postgres-table.ts';

/** The engine that `STORE=postgres` names. PGDATABASE names its database, which has to exist, and may be empty. */
export const postgres: TableEngine = {
  variable: 'PGDATABASE',
  takes: 'the name of the database',
  // A look at the catalog takes a trip over the network, so that a server looks every ten seconds.
  catalogAge: 10_000,
  open: async (name, purpose) => {
    const database = new Database(name, purpose);
    try {
      await database.ensureSchema();
    } catch (error) {
      await database.close();
      throw error;
    }
    const table = new PostgresTable(database);
    return { table, dump: table };
  },
};
