import { CheckFiles } from '../../../application/operations/check-files.ts';
import { ExportStore } from '../../../application/operations/export-store.ts';
import { FindStoredFiles } from '../../../application/operations/find-stored-files.ts';
import { MendFiles } from '../../../application/operations/mend-files.ts';
import { MendOwners } from '../../../application/operations/mend-owners.ts';
import { MendTickets } from '../../../application/operations/mend-tickets.ts';
import { part } from '../area.ts';

/** Work on the store as a whole: its check, its repair and its export. It needs the areas whose records name files. */
export const upkeep = {
  parts: {
    findStoredFiles: part(FindStoredFiles),
    checkFiles: part(CheckFiles),
    mendFiles: part(MendFiles),
    mendOwners: part(MendOwners),
    mendTickets: part(MendTickets),
    exportStore: part(ExportStore),
  },
};
