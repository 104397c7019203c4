import { checkFiles } from '../../../application/operations/check-files.ts';
import { exportStore } from '../../../application/operations/export-store.ts';
import { findStoredFiles } from '../../../application/operations/find-stored-files.ts';
import { mendFiles } from '../../../application/operations/mend-files.ts';
import { mendOwners } from '../../../application/operations/mend-owners.ts';
import { mendTickets } from '../../../application/operations/mend-tickets.ts';

/** Work on the store as a whole: its check, its repair and its export. It needs the areas whose records name files. */
export const upkeep = {
  parts: {
    findStoredFiles,
    checkFiles,
    mendFiles,
    mendOwners,
    mendTickets,
    exportStore,
  },
};
