import type { Platform } from '../catalog/platform.ts';
import type { Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { feedArtifacts } from './appcast.ts';
import type { Channel } from './channel.ts';
import { feedReadersOf } from './feed-access.ts';
import { feedFaults } from './feed-faults.ts';
import { currentRelease, type ReleaseLine } from './offered-release.ts';
import { type Publication, type PublicationResult, publishInto } from './publication.ts';
import { type Artifact, artifactFor, type Delta, formatOf, type InstallationType, type Release } from './release.ts';
import type { VersionOrder } from './version-order.ts';

/** The facts of a file to publish: its download name, checksum and size. */
export type FileToPublish = Pick<Artifact, 'filename' | 'sha256' | 'size'>;

/** A signature, and the id of its key. */
export type FileSignature = { readonly signature: string; readonly signed_by: string };

export type WholeToPublish = FileToPublish &
  Pick<Artifact, 'sums'> & {
    readonly installation_type?: InstallationType | null;
    readonly updater_signature?: string | null | undefined;
  };

/** The version in the scheme's canonical form, or as an equal release spells it; undefined if it is not a version. */
export const versionToPublish = (
  version: string,
  released: readonly Release[],
  { normalize, compare }: VersionOrder,
): string | undefined => {
  const normal = normalize(version);
  if (normal === undefined) return undefined;
  return released.find((release) => compare(release.version, normal) === 0)?.version ?? normal;
};

/** The unsigned artifact of a file, with its patches. */
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

/** The artifact with its signature, and with those of its patches in order. */
export const signedArtifact = (
  artifact: Artifact,
  whole: Pick<Artifact, keyof FileSignature>,
  patches: readonly Pick<Artifact, keyof FileSignature>[],
): Artifact => {
  const deltas = (artifact.deltas ?? []).map((delta, n) => ({ ...delta, ...patches[n] }));
  return { ...artifact, ...whole, ...(deltas.length > 0 && { deltas }) };
};

/**
 * Decides on publishing a file into a version: returns the resulting release, checked against all of the product's
 * releases unless nothing changes. `before` is the version's existing release.
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
  const whole = keepsFeedWhole(product, published.value, released, order);
  return whole.ok ? ok(published.value) : whole;
};

/** The file in the release: an existing one keeps its name and signature. */
export const artifactAsPublished = ({ release }: PublicationResult, sent: Artifact): Artifact =>
  release.artifacts.find(({ platform }) => platform === sent.platform) ?? sent;

/** A platform, and the newest version that its clients are offered. */
export type PlatformBehind = { readonly platform: Platform; readonly version: string };

/** The platforms for which the release has no file, so its channel keeps offering an older version there. */
export const platformsBehind = (release: Release, line: ReleaseLine): PlatformBehind[] =>
  line.listed.flatMap((platform) => {
    if (artifactFor(release, platform, line.platforms)) return [];
    const offered = currentRelease(line, release.channel, platform);
    const isOlder = offered !== undefined && line.order.compare(offered.version, release.version) < 0;
    return isOlder ? [{ platform, version: offered.version }] : [];
  });

/**
 * Refuses a publication that would break the product's appcast, given all releases of the product. A new file for Macs
 * needs a build number, because Sparkle compares nothing else. The caller must provide it: a generated number would not
 * match the `CFBundleVersion` of installed applications.
 */
export const keepsFeedWhole = (
  product: Product,
  { release, result }: PublicationResult,
  released: readonly Release[],
  order: VersionOrder,
): Outcome<null, 'build_required' | 'breaks_feed'> => {
  if (feedReadersOf(product) === null) return ok(null);
  const adds = result === 'created' || result === 'platform_added';
  if (adds && release.build === null && feedArtifacts(release).length > 0) {
    return refuse('build_required', {
      message: `${product.slug} is updated by an appcast, which needs the build number (CFBundleVersion) of version ${release.version}.`,
    });
  }
  const others = released.filter(({ version }) => version !== release.version);
  const [fault] = feedFaults(release, others, order);
  if (!fault) return ok(null);
  return refuse('breaks_feed', {
    message: `Version ${release.version} would break the appcast of ${product.slug}: ${fault.member}: ${fault.message}.`,
  });
};

/** A change to a published release. Its files never change. */
export type ReleaseChange =
  /** Withdraws the release: clients are no longer offered it. */
  | { readonly kind: 'withdraw'; readonly reason: string }
  | { readonly kind: 'restore' }
  | { readonly kind: 'move'; readonly channel: Channel }
  /** Sets the time of a release that is not out yet. */
  | { readonly kind: 'schedule'; readonly released_at: Instant };

/**
 * The release after a change; the same object if nothing changes. A withdrawn release keeps the time of its first
 * withdrawal, and a release that is out keeps its release time, because update windows are compared with it.
 */
export const changedRelease = (
  release: Release,
  change: ReleaseChange,
  now: Instant,
): Outcome<Release, 'release_is_out' | 'moment_has_passed'> => {
  const { withdrawn, ...offered } = release;
  switch (change.kind) {
    case 'withdraw':
      if (withdrawn?.reason === change.reason) return ok(release);
      return ok({ ...offered, withdrawn: { at: withdrawn?.at ?? now, reason: change.reason } });
    case 'restore':
      return ok(withdrawn === undefined ? release : offered);
    case 'move':
      return ok(release.channel === change.channel ? release : { ...release, channel: change.channel });
    case 'schedule':
      if (release.released_at === change.released_at) return ok(release);
      if (release.released_at <= now) {
        return refuse('release_is_out', {
          message: `Version ${release.version} came out at ${release.released_at}, which cannot be changed; withdraw the version instead.`,
        });
      }
      // A release time far in the past would put the release into every update window, and could not be changed again.
      if (change.released_at <= now) {
        return refuse('moment_has_passed', {
          message: `The moment ${change.released_at} has passed; choose a time in the future, such as one minute from now.`,
        });
      }
      return ok({ ...release, released_at: change.released_at });
  }
};

/**
 * The version that a channel now offers to clients of a release, for one platform or with a file for every platform.
 */
export type Replacement = { readonly platform: Platform | null; readonly version: string | null };

/** The versions that the channel now offers to the clients of a release, one for each of the release's files. */
export const replacements = ({ channel, artifacts }: Release, line: ReleaseLine): readonly Replacement[] =>
  artifacts.map(({ platform }) => ({ platform, version: currentRelease(line, channel, platform)?.version ?? null }));
