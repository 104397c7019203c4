import { buildBundles } from '../bundles/build.ts';
import { BUNDLES, bundleOf } from '../bundles/functions.ts';

/** `npm run build:lambda`: prints where each bundle is and its size. */
console.log(`Bundles in ${BUNDLES}:`);
for (const { name, bytes } of await buildBundles()) {
  console.log(`${(bytes / 1024).toFixed(0).padStart(8)} KB  ${bundleOf(name)}`);
}
