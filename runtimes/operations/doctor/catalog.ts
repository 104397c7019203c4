import type { Catalog } from '../../../domain/catalog/catalog.ts';
import type { Release } from '../../../domain/delivery/release.ts';
import { comesAsFile } from '../../../domain/delivery/supply.ts';
import { countOf } from '../../../domain/shared/count-of.ts';
import type { Service } from '../../composition/service.ts';
import { checkFeeds } from './feeds.ts';
import { type Finding, fine, firstOf, next, wrong } from './finding.ts';
import { checkSnapshots } from './snapshots.ts';

/**
 * Checks that every product on sale that comes as a file has a release that was not withdrawn. Bundles and products
 * without a file need none.
 */
const checkReleased = ({ products, bundles }: Catalog, released: ReadonlyMap<number, readonly Release[]>): Finding => {
  const bare = [...products.values()].filter(
    (product) =>
      product.active &&
      comesAsFile(product, bundles) &&
      !released.get(product.id)?.some(({ withdrawn }) => withdrawn === undefined),
  );
  return bare.length === 0
    ? fine('releases', 'Every product on sale that comes as a file has a release.')
    : wrong('releases', `There is no release of ${firstOf(bare.map(({ slug }) => slug))}; publish one.`);
};

/** Reports whether the store has a business disclosure. A store may do without one. */
const checkDisclosure = ({ disclosure }: Catalog): Finding =>
  fine(
    'disclosure',
    disclosure
      ? `The business disclosure of ${disclosure.en.company_name} is imported.`
      : 'No business disclosure was imported, so GET /api/public/disclosure answers 404.',
  );

/** Checks that the catalog has products and that they can be delivered. */
export const checkCatalog = async (service: Service): Promise<Finding[]> => {
  const catalog = await service.get('catalogs').current();
  const { products } = catalog;
  if (products.size === 0) {
    return [
      next(
        'catalog',
        'The catalog is empty; write a store document ("import --schema" shows its form) and run: import FILE',
      ),
    ];
  }
  const released = await service.get('releases').of([...products.keys()]);
  const releases = [...released.values()].flat();
  return [
    fine(
      'catalog',
      `The catalog has ${countOf(products.size, 'product')} with ${countOf(releases.length, 'release')}.`,
    ),
    checkReleased(catalog, released),
    checkDisclosure(catalog),
    await checkSnapshots(service, releases.length > 0),
    ...(await checkFeeds(service, catalog, released)),
  ];
};
