import type { Catalog } from '../../../domain/catalog/catalog.ts';
import type { Product } from '../../../domain/catalog/product.ts';
import { feedArtifacts, isInFeed } from '../../../domain/delivery/appcast.ts';
import { feedReadersOf } from '../../../domain/delivery/feed-access.ts';
import { feedFaults, signedFiles, unsignedFiles } from '../../../domain/delivery/feed-faults.ts';
import type { Release } from '../../../domain/delivery/release.ts';
import { countOf, plural } from '../../../domain/shared/count-of.ts';
import type { Service } from '../../composition/service.ts';
import { unknownSignatures } from './feed-signatures.ts';
import { type Finding, fine, firstOf, wrong } from './finding.ts';

/** An application with releases for its appcast. An application without such releases is updated in another way. */
type Fed = { readonly product: Product; readonly releases: readonly Release[] };

const named = (fed: readonly Fed[], of: (one: Fed) => readonly string[]): string[] =>
  fed.flatMap((one) => of(one).map((what) => `${one.product.slug} ${what}`));

/** True for a release that only its missing build number keeps out of the feed. Other releases belong to no feed. */
const lacksBuild = (release: Release): boolean =>
  release.build === null && release.withdrawn === undefined && feedArtifacts(release).length > 0;

/**
 * Checks the stored feeds by the rules that publishing follows, and the signatures of their files. It finds nothing if
 * no application has a feed.
 */
export const checkFeeds = async (
  service: Service,
  { products }: Catalog,
  released: ReadonlyMap<number, readonly Release[]>,
): Promise<Finding[]> => {
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
    return releases.flatMap((release, n) =>
      isInFeed(release)
        ? feedFaults(release, releases.slice(0, n), order, releases).map(
            ({ message }) => `${release.version} (${message})`,
          )
        : [],
    );
  });
  const findings = [
    ...(unsigned.length > 0
      ? [
          `These files have no signature, so that Sparkle refuses them: ${firstOf(unsigned)}; import them again to sign them.`,
        ]
      : []),
    ...(unknown.length > 0
      ? [
          `No key of the store signed these files, or the key was revoked: ${firstOf(unknown)}; publish a new version that has the SUPublicEDKey of the key in use (artifact-key), then withdraw these.`,
        ]
      : []),
    ...(unnumbered.length > 0
      ? [
          `These versions have no build number and so are in no appcast: ${firstOf(unnumbered)}; publish new versions with --build.`,
        ]
      : []),
    ...(broken.length > 0
      ? [
          `These releases break their appcast: ${firstOf(broken)}; correct them and import them again, or withdraw them.`,
        ]
      : []),
  ].map((message) => wrong('feeds', message));
  if (findings.length > 0) return findings;
  const key = await service.get('artifactSigner').publicKey();
  const appcasts = plural(fed.length, 'appcast');
  const are = `${appcasts} of ${countOf(fed.length, 'application')} ${plural(fed.length, 'is', 'are')}`;
  return [fine('feeds', `The ${are} whole; the SUPublicEDKey is ${key}.`)];
};
