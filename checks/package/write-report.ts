import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiReport, REPORT } from './report.ts';

/** `npm run api`: writes the report of the public face anew. */
const report = await apiReport();
await rm(REPORT, { recursive: true, force: true });
await mkdir(REPORT, { recursive: true });
for (const [file, text] of report) await writeFile(join(REPORT, file), text);
