import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bundle, buildBundles, LIST } from '../../infra/bundles/build.ts';
import { BUNDLED, BUNDLES, bundleOf } from '../../infra/bundles/functions.ts';

/**
 * Puts the deployed bundles into a folder, in which they find no packages. It builds them unless BUILT says that
 * `npm run build:lambda` did, because that takes most of a minute.
 */
export const deployedBundles = async (into: string): Promise<Bundle[]> => {
  if (!process.env['BUILT']) return buildBundles(into);
  for (const name of BUNDLED) await cp(bundleOf(name), bundleOf(name, into), { recursive: true });
  return JSON.parse(await readFile(join(BUNDLES, LIST), 'utf8'));
};
