#!/usr/bin/env node
/**
 * The operator's tool. Exits with 0 for success, 1 for a refusal or error, 2 for wrong usage. On an older Node it
 * prints the required version instead. Such a Node may lack features that the imports need, so nothing else may be
 * imported before.
 */
import { olderNode } from '../configuration/installation.ts';

const older = olderNode();

if (older !== null) {
  process.stderr.write(`${older}\n`);
  process.exitCode = 1;
} else {
  const { cli } = await import('./cli.ts');
  await cli(process.argv.slice(2));
}
