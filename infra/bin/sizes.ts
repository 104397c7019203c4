import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recommendedSizes } from '../costs/recommended.ts';

const FILE = join(import.meta.dirname, '..', '..', 'test', 'tools', 'costs', 'stack.json');

/** The first step of `npm run -s costs`: keeps what a bill depends on beside the requests. */
await writeFile(FILE, `${JSON.stringify(await recommendedSizes(), null, 2)}\n`);
