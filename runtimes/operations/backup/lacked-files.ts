import { openSqliteTable } from '../../../adapters/sqlite/sqlite-table.ts';
import { EVERY_AREA } from '../../composition/areas/everything.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Settings } from '../../composition/engine-settings.ts';
import { objectsIn, partsOf } from './parts.ts';

/**
 * The keys of the objects that the database of a folder names and that the folder lacks, or has with another size. A
 * store whose objects are gone lists none, so that the database alone tells which there have to be.
 */
export const lackedBy = async (folder: string, settings: Settings): Promise<string[]> => {
  const table = openSqliteTable(partsOf(folder).table, { isFinished: true });
  try {
    const service = bootstrap(settings, { table, objects: objectsIn(folder) }, EVERY_AREA);
    const { faults } = await service.get('checkFiles')({ quick: true, most: Number.POSITIVE_INFINITY });
    return faults.map(({ key }) => key);
  } finally {
    await table.close();
  }
};
