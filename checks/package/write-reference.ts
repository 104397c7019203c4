import { join } from 'node:path';
import { PROJECT } from './entries.ts';
import { writeReference } from './reference.ts';

/** `npm run reference`: writes the pages into `reference/`, and exits 1 where TypeDoc warns of anything. */
const warnings = await writeReference(join(PROJECT, 'reference'));
for (const warning of warnings) console.error(warning);
console.log('The reference is in reference/index.html.');
process.exitCode = warnings.length > 0 ? 1 : 0;
