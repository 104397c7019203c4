import { join } from 'node:path';
import { buildBundles } from '../../infra/bundles/build.ts';

/** The bundles that a test runs on SQLite and files: as they are deployed, but with the embedded engine left in. */
export const EMBEDDED_BUNDLES = join(import.meta.dirname, '..', '..', 'dist', 'lambda-embedded');

/** Runs once, before any test. */
export const setup = async (): Promise<void> => {
  await buildBundles({ into: EMBEDDED_BUNDLES, embedded: true });
};
