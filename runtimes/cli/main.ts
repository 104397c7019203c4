#!/usr/bin/env node
/**
 * The operator's tool. Exits 0 for success, 1 for a refusal or error, 2 for wrong usage. An older Node says what it is
 * instead of the tool: it lacks what the imports ask for, so nothing else may be imported before.
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
