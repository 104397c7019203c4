import type { Platform } from '../catalog/platform.ts';
import type { Product } from '../catalog/product.ts';
import { type Outcome, ok } from '../shared/outcome.ts';
import { formatOf, type InstallationType } from './artifact-format.ts';
import { keepsFeedWhole } from './feed-publication.ts';
import type { ReleaseLine } from './offered-release.ts';
import { currentRelease } from './offered-release.ts';
import { type Publication, type PublicationResult, publishInto } from './publication.ts';
import { type Artifact, artifactFor, type Delta, type Release } from './release.ts';
import type { VersionOrder } from './version-order.ts';

/** The facts of a file that is to be published: the name that it is downloaded under, its sum and its bytes. */
export type FileToPublish = Pick<Artifact, 'filename' | 'sha256' | 'size'>;

/** A signature, and the id of its key. */
export type FileSignature = { readonly signature: string; readonly signed_by: string };

export type WholeToPublish = FileToPublish &
  Pick<Artifact, 'sums'> & {
    readonly installation_type?: InstallationType | null;
    readonly updater_signature?: string | null | undefined;
  };

/** The version as the scheme writes it, or as a release that ranks the same has it; undefined where it is none. */
export const versionToPublish = (
  version: string,
  released: readonly Release[],
  { normalize, compare }: VersionOrder,
): string | undefined => {
  const normal = normalize(version);
  if (normal === undefined) return undefined;
  return released.find((release) => compare(release.version, normal) === 0)?.version ?? normal;
};

/** The artifact of a file and of the patches that lead to it, none of them signed yet. */
export const unsignedArtifact = (
  platform: Platform | null,
  { filename, sha256, size, installation_type, sums, updater_signature }: WholeToPublish,
  patches: readonly (FileToPublish & Pick<Delta, 'from_build'>)[],
): Artifact => {
  const deltas = patches.map((patch) => ({
    from_build: patch.from_build,
    filename: patch.filename,
    sha256: patch.sha256,
    size: patch.size,
    signature: null,
  }));
  const artifact = { platform, filename, sha256, size, signature: null, format: formatOf(filename) };
  return {
    ...artifact,
    ...(deltas.length > 0 && { deltas }),
    ...(installation_type && { installation_type }),
    ...(sums && { sums }),
    ...(updater_signature && { updater_signature }),
  };
};

/** The artifact with its signatures, those of its patches in their order. */
export const signedArtifact = (
  artifact: Artifact,
  whole: FileSignature,
  patches: readonly FileSignature[],
): Artifact => {
  const deltas = (artifact.deltas ?? []).map((delta, n) => ({ ...delta, ...patches[n] }));
  return { ...artifact, ...whole, ...(deltas.length > 0 && { deltas }) };
};

/**
 * Decides about a file that is published into a version: the release afterwards, held against all releases that the
 * product has unless it changes nothing. `before` is the version's release, undefined where it has none.
 */
export const judgePublication = (
  product: Product,
  publication: Publication,
  { before, released }: { before: Release | undefined; released: readonly Release[] },
  fresh: Pick<Release, 'id' | 'released_at'>,
  order: VersionOrder,
): Outcome<
  PublicationResult,
  'release_withdrawn' | 'version_exists' | 'release_differs' | 'build_required' | 'breaks_feed'
> => {
  const published = publishInto(before, publication, fresh);
  if (!published.ok || published.value.result === 'unchanged') return published;
  const kept = keepsFeedWhole(product, published.value, released, order);
  return kept.ok ? ok(published.value) : kept;
};

/** The file as the release has it: one that was there before keeps its name and its signature. */
export const artifactAsPublished = ({ release }: PublicationResult, sent: Artifact): Artifact =>
  release.artifacts.find(({ platform }) => platform === sent.platform) ?? sent;

/** A platform, and the newest version that clients on it are offered. */
export type PlatformBehind = { readonly platform: Platform; readonly version: string };

/** The platforms for which the release has no file, and on which its channel goes on offering an older version. */
export const platformsBehind = (release: Release, line: ReleaseLine): PlatformBehind[] =>
  line.listed.flatMap((platform) => {
    if (artifactFor(release, platform, line.platforms)) return [];
    const offered = currentRelease(line, release.channel, platform);
    const isOlder = offered !== undefined && line.order.compare(offered.version, release.version) < 0;
    return isOlder ? [{ platform, version: offered.version }] : [];
  });
