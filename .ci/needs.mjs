import { existsSync } from 'node:fs';

/** `node needs.mjs FOLDER` fails with one sentence where the packages of a folder of the project are not installed. */
const [folder] = process.argv.slice(2);
if (!existsSync(new URL(`../${folder}/node_modules`, import.meta.url))) {
  process.stderr.write(`The packages of ${folder}/ are not installed: run "npm ci --prefix ${folder}" first.\n`);
  process.exitCode = 1;
}
