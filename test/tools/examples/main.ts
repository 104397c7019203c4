import { writeFileSync } from 'node:fs';
import { record } from './record.ts';

/** `npm run examples` writes the examples of the OpenAPI document, as recorded on the sample store. */
const FILE = new URL('../../../adapters/openapi/examples.json', import.meta.url);

writeFileSync(FILE, `${JSON.stringify(await record())}\n`);
