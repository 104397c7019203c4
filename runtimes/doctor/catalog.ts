import { buffer } from 'node:stream/consumers';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { feedArtifacts, isInFeed } from '../../domain/delivery/appcast.ts';
import { feedReadersOf } from '../../domain/delivery/feed-access.ts';
import { feedFaults, type SignedFile, signedFiles, unsignedFiles } from '../../domain/delivery/feed-faults.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import type { Release } from '../../domain/delivery/release.ts';
import { comesAsFile } from '../../domain/delivery/supply.ts';
import { countOf, plural } from '../../domain/shared/count-of.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Service } from '../composition/bootstrap.ts';
import { type Finding, fine, firstOf, next, type Part, wrong, wrongs } from './finding.ts';

/** The bytes of a file; undefined if they are lost or truncated, which the check of the files reports. */
const bytesOf = async (objects: ObjectStore, { sha256, size }: SignedFile): Promise<Uint8Array | undefined> => {
  try {
    const opened = await objects.open(objectKeyOf(sha256));
    const bytes = opened && (await buffer(opened.stream));
    return bytes?.length === size ? bytes : undefined;
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined;
    throw error;
  }
};

/**
 * The names of the files whose signature was made by none of the store's keys, because their key was revoked or another
 * store signed them. Each file is read as a whole, one at a time.
 */
const unknownSignatures = async (service: Service, files: readonly SignedFile[]): Promise<string[]> => {
  const signer = service.get('artifactSigner');
  const found: string[] = [];
  for (const file of files) {
    const bytes = await bytesOf(service.get('objects'), file);
    if (bytes && (await signer.signerOf(bytes, file.signature)) === undefined) found.push(file.name);
  }
  return found;
};

/** An application with releases for its appcast. Other applications are updated in another way. */
type Fed = { readonly product: Product; readonly releases: readonly Release[] };

const named = (fed: readonly Fed[], of: (one: Fed) => readonly string[]): string[] =>
  fed.flatMap((one) => of(one).map((what) => `${one.product.slug} ${what}`));

/** True for a release that would be in the feed if it had a build number. Other releases belong to no feed. */
const lacksBuild = (release: Release): boolean =>
  release.build === null && release.withdrawn === undefined && feedArtifacts(release).length > 0;

const UNSIGNED = 'These files have no signature, so that Sparkle refuses them: {}; import them again to sign them.';
const UNKNOWN_KEY =
  'No key of the store signed these files, or the key was revoked: {}; publish a new version that has the SUPublicEDKey of the key in use (artifact-key), then withdraw these.';
const UNNUMBERED =
  'These versions have no build number and so are in no appcast: {}; publish new versions with --build.';
const BROKEN = 'These releases break their appcast: {}; correct them and import them again, or withdraw them.';

/**
 * Checks the stored feeds by the rules that publishing follows, and the signatures of their files. It finds nothing if
 * no application has a feed.
 */
export const checkFeeds = async (service: Service): Promise<Finding[]> => {
  const { catalog, released } = await offerOf(service);
  const { products } = catalog;
  const fed = [...products.values()]
    .filter((product) => feedReadersOf(product) !== null)
    .map((product) => ({ product, releases: released.get(product.id) ?? [] }))
    .filter(({ releases }) => releases.some(isInFeed));
  if (fed.length === 0) return [];
  const unsigned = named(fed, ({ releases }) => unsignedFiles(releases));
  const signed = fed.flatMap(({ product, releases }) =>
    signedFiles(releases).map((file) => ({ ...file, name: `${product.slug} ${file.name}` })),
  );
  const unknown = await unknownSignatures(service, signed);
  const unnumbered = named(fed, ({ releases }) => releases.filter(lacksBuild).map(({ version }) => version));
  const broken = named(fed, ({ product, releases }) => {
    const order = service.get('versions').order(product.version_scheme);
    return releases.flatMap((release, n) => {
      const faults = isInFeed(release) ? feedFaults(release, releases.slice(0, n), order, releases) : [];
      return faults.map(({ message }) => `${release.version} (${message})`);
    });
  });
  const findings = [
    ...wrongs('feeds', unsigned, UNSIGNED),
    ...wrongs('feeds', unknown, UNKNOWN_KEY),
    ...wrongs('feeds', unnumbered, UNNUMBERED),
    ...wrongs('feeds', broken, BROKEN),
  ];
  if (findings.length > 0) return findings;
  const key = await service.get('artifactSigner').publicKey();
  const appcasts = plural(fed.length, 'appcast');
  const are = `${appcasts} of ${countOf(fed.length, 'application')} ${plural(fed.length, 'is', 'are')}`;
  return [fine('feeds', `The ${are} whole; the SUPublicEDKey is ${key}.`)];
};

/**
 * Checks that every product on sale that is delivered as a file has a release that was not withdrawn. Bundles and
 * products without a file need none.
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

/** Reports whether the store has a business disclosure, which is optional. */
const checkDisclosure = ({ disclosure }: Catalog): Finding =>
  fine(
    'disclosure',
    disclosure
      ? `The business disclosure of ${disclosure.en.company_name} is imported.`
      : 'No business disclosure was imported, so GET /api/public/disclosure answers 404.',
  );

/** Checks that a starting process finds the catalog in a snapshot, and the public releases if there are any. */
const checkSnapshots = async (
  service: Part<'storedCatalogs' | 'supplyCopy'>,
  hasReleases: boolean,
): Promise<Finding> => {
  const missing = [
    ...((await service.get('storedCatalogs').copy.isPacked()) ? [] : ['catalog']),
    ...(!hasReleases || (await service.get('supplyCopy').isPacked()) ? [] : ['public releases']),
  ];
  const why = `There is no snapshot of the ${missing.join(' and of the ')}, so that each process that starts reads every record; the next change makes it`;
  return missing.length === 0
    ? fine('snapshots', 'The catalog and the public releases have a snapshot, from which each process starts.')
    : next('snapshots', why);
};

const EMPTY =
  'The catalog is empty; add products in the console, or run: import FILE ("import --schema" shows its form)';

/** The catalog, and the releases of its products. */
const offerOf = async (service: Part<'catalogs' | 'releases'>) => {
  const catalog = await service.get('catalogs').current();
  return { catalog, released: await service.get('releases').of([...catalog.products.keys()]) };
};

/** Checks that the catalog has products and that they can be delivered. */
export const checkCatalog = async (
  service: Part<'catalogs' | 'releases' | 'storedCatalogs' | 'supplyCopy'>,
): Promise<Finding[]> => {
  const { catalog, released } = await offerOf(service);
  const { products } = catalog;
  if (products.size === 0) return [next('catalog', EMPTY)];
  const releases = [...released.values()].flat();
  const has = `The catalog has ${countOf(products.size, 'product')} with ${countOf(releases.length, 'release')}.`;
  return [
    fine('catalog', has),
    checkReleased(catalog, released),
    checkDisclosure(catalog),
    await checkSnapshots(service, releases.length > 0),
  ];
};
