import { join } from 'node:path';
import { buildBundles } from '../../infra/bundles/build.ts';

/** The folder of the bundles for tests on SQLite and files. They are the deployed ones plus the embedded engine. */
export const EMBEDDED_BUNDLES = join(import.meta.dirname, '..', '..', 'lambda.out', 'embedded');

/** Builds the bundles once, before all tests. */
export const setup = async (): Promise<void> => {
  await buildBundles({ into: EMBEDDED_BUNDLES, embedded: true });
};
