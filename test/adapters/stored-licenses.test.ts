import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { licensesContract } from '../contracts/licenses.ts';
import { GRANTS, licensesOn } from '../support/licenses-at-work.ts';
import { newFile, open } from './sqlite/folder.ts';

for (const [kind, grants] of GRANTS) {
  licensesContract(`StoredLicenses on MemoryTable with ${kind}`, () => licensesOn(new MemoryTable(), grants));
  licensesContract(`StoredLicenses on SqliteTable with ${kind}`, () => licensesOn(open(newFile()), grants));
}
