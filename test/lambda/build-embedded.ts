import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { FOR_LAMBDA } from '../../infra/bundles/build.ts';
import { BUNDLED, BUNDLES, entriesOf, SKILL, SKILL_FOLDER } from '../../infra/bundles/functions.ts';

/** The folder of the bundles for tests on SQLite and files: those that are deployed, plus the embedded engine. */
export const EMBEDDED_BUNDLES = join(BUNDLES, 'embedded');

/**
 * Builds the bundles once, before all tests. They share the files in the folder above theirs, because twelve separate
 * ones take six times as long; so a thread's program and the skill package are there, too.
 */
export const setup = async (): Promise<void> => {
  await rm(EMBEDDED_BUNDLES, { recursive: true, force: true });
  const entryPoints = BUNDLED.flatMap((name) =>
    Object.entries(entriesOf(name)).map(([program, source]) => [
      program === 'index' ? `${name}/${program}` : program,
      source,
    ]),
  );
  await build({
    ...FOR_LAMBDA,
    entryPoints: Object.fromEntries(entryPoints),
    outdir: EMBEDDED_BUNDLES,
    keepNames: true,
  });
  await cp(SKILL_FOLDER, join(EMBEDDED_BUNDLES, SKILL), { recursive: true });
  await writeFile(join(EMBEDDED_BUNDLES, 'package.json'), '{ "type": "module" }\n');
};
