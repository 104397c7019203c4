import { StoreUnavailable } from '../../../adapters/store/table.ts';
import type { Catalog } from '../../../domain/catalog/catalog.ts';
import { objectKeyOf } from '../../../domain/delivery/object-key.ts';
import type { Release } from '../../../domain/delivery/release.ts';
import { comesAsFile } from '../../../domain/delivery/supply.ts';
import { countOf } from '../../../domain/shared/count-of.ts';
import type { ObjectStore } from '../../../ports/outbound/object-store.ts';
import type { Service } from '../../composition/service.ts';
import { checkFeeds } from './feeds.ts';
import { type Finding, fine, firstOf, wrong } from './finding.ts';

type File = { readonly name: string; readonly sha256: string; readonly size: number };

const filesOf = async (service: Service, { products }: Catalog, releases: readonly Release[]): Promise<File[]> => {
  const slug = (productId: number) => products.get(productId)?.slug ?? String(productId);
  const artifacts = releases.flatMap(({ product_id, version, artifacts: files }) =>
    files.map((file) => ({ ...file, name: `${slug(product_id)} ${version} ${file.filename}` })),
  );
  const assets: File[] = [];
  for (const id of products.keys()) {
    const content = await service.get('catalogs').content(id);
    assets.push(...(content?.assets ?? []).map((asset) => ({ ...asset, name: `${slug(id)} ${asset.path}` })));
  }
  return [...artifacts, ...assets];
};

/**
 * True if the object can be opened and has this size. Looking for the key alone is not enough, because a store may have
 * lost the bytes of a key.
 */
const isThere = async (objects: ObjectStore, { sha256, size }: File): Promise<boolean> => {
  try {
    const opened = await objects.open(objectKeyOf(sha256));
    opened?.stream.destroy();
    return opened?.info.size === size;
  } catch (error) {
    if (error instanceof StoreUnavailable) return false;
    throw error;
  }
};

/** Checks that the bytes of every release and every content asset are there. */
const checkFiles = async (service: Service, files: readonly File[]): Promise<Finding> => {
  const lost: string[] = [];
  for (const file of files) if (!(await isThere(service.get('objects'), file))) lost.push(file.name);
  return lost.length === 0
    ? fine('files', `The object store has every file of releases and content, ${countOf(files.length, 'file')} in all.`)
    : wrong('files', `The object store lacks ${firstOf(lost)}; import or publish them again.`);
};

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
  if (products.size === 0) return [wrong('catalog', 'The catalog is empty; import a store document.')];
  const released = await service.get('releases').of([...products.keys()]);
  const releases = [...released.values()].flat();
  return [
    fine(
      'catalog',
      `The catalog has ${countOf(products.size, 'product')} with ${countOf(releases.length, 'release')}.`,
    ),
    checkReleased(catalog, released),
    checkDisclosure(catalog),
    ...(await checkFeeds(service, catalog, released)),
    await checkFiles(service, await filesOf(service, catalog, releases)),
  ];
};
