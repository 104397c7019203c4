import { openSqliteTable } from '../../../adapters/sqlite/sqlite-table.ts';
import type { OwnEngines } from '../../../runtimes/engines/kinds.ts';

/** The variable that names the file of the table. */
export const VARIABLE = 'NOTEBOOK_FILE';

/** A team's own engine: a table in the file in its variable, and not in DATA_DIR. */
export const OWN: OwnEngines = {
  tables: {
    notebook: {
      variable: VARIABLE,
      takes: 'the path of the notebook',
      catalogAge: 1000,
      open: async (file) => {
        const table = openSqliteTable(file);
        return { table, dump: table };
      },
    },
  },
};
