import type { TableEngine } from 'account-service/engines';
import { LmdbTable } from './lmdb-table.ts';

/** The engine that `STORE=lmdb` names. LMDB_DIR names its folder, which is made where it is missing. */
export const lmdb: TableEngine = {
  variable: 'LMDB_DIR',
  takes: 'a folder',
  catalogAge: 1000,
  open: async (folder, _purpose, horizon) => {
    const table = new LmdbTable(folder, horizon);
    return { table, dump: table };
  },
};
