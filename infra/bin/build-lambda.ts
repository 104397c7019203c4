import { buildBundles } from '../bundles/build.ts';
import { BUNDLES, bundleOf } from '../bundles/functions.ts';

/** `npm run build:lambda` prints the folder of each bundle, and the kilobytes that an instance reads when it starts. */
console.log(`Bundles in ${BUNDLES}:`);
for (const { name, startBytes } of await buildBundles()) {
  console.log(`${(startBytes / 1024).toFixed(0).padStart(8)} KB  ${bundleOf(name)}`);
}
