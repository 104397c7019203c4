#!/usr/bin/env node
/**
 * The operator's tool. Exits 0 for success, 1 for a refusal or error, 2 for wrong usage. An older Node says what it is
 * in place of the tool: it lacks what the imports ask for, so that nothing may be imported before.
 */
const LEAST_NODE = 24;
const { node } = process.versions;

if (Number.parseInt(node, 10) < LEAST_NODE) {
  process.stderr.write(`account-service needs Node ${LEAST_NODE} or newer, and this is Node ${node}.\n`);
  process.exitCode = 1;
} else {
  const { cli } = await import('./cli.ts');
  await cli(process.argv.slice(2));
}
