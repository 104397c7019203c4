import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { isSameJson } from '../shared/same-json.ts';
import type { Channel } from './channel.ts';
import { withdrawnMessage } from './offered-release.ts';
import type { Artifact, Delta, Release } from './release.ts';
import { NO_TERMS, type SparkleTerms } from './sparkle-terms.ts';

/**
 * 1 to 255 characters without slashes, control characters and text direction marks, and not `.` or `..`: a plain file
 * name on every system.
 */
const FILENAME = /^(?!\.{1,2}$)[^/\\\p{Cc}\p{Cs}\p{Bidi_Control}]{1,255}$/u;

export const isFileName = (name: string): boolean => FILENAME.test(name);

/** The release's artifact for the same platform with another sha256, if any. */
export const otherBytes = (
  release: Release | undefined,
  { platform, sha256 }: Pick<Artifact, 'platform' | 'sha256'>,
): Artifact | undefined =>
  release?.artifacts.find((artifact) => artifact.platform === platform && artifact.sha256 !== sha256);

/** The given patches, and the artifact's patches from other builds. */
export const withDeltas = (before: Artifact | undefined, named: readonly Delta[]): readonly Delta[] => {
  const builds = new Set(named.map(({ from_build }) => from_build));
  return [...named, ...(before?.deltas ?? []).filter(({ from_build }) => !builds.has(from_build))];
};

/** The artifact's patch from the same build with another sha256, if any. */
export const otherPatch = (
  before: Artifact | undefined,
  { from_build, sha256 }: Pick<Delta, 'from_build' | 'sha256'>,
): Delta | undefined => before?.deltas?.find((delta) => delta.from_build === from_build && delta.sha256 !== sha256);

/** The given artifacts, and the release's artifacts for other platforms. */
export const besideOthers = (before: Release | undefined, named: readonly Artifact[]): readonly Artifact[] => {
  const platforms = new Set(named.map(({ platform }) => platform));
  return [...named, ...(before?.artifacts ?? []).filter(({ platform }) => !platforms.has(platform))];
};

export const platformName = ({ platform }: Pick<Artifact, 'platform'>): string => platform ?? 'every platform';

/** One file of one version to publish. Null fields keep the value of an existing release. */
export type Publication = {
  readonly product_id: number;
  /** Normalized by the product's version scheme. */
  readonly version: string;
  readonly channel: Channel | null;
  readonly build: string | null;
  readonly notes_en: string | null;
  readonly notes_ko: string | null;
  /** Null releases a new version immediately. */
  readonly released_at: Instant | null;
  /** Terms for Sparkle; absent fields keep the value of an existing release. */
  readonly sparkle: Partial<SparkleTerms>;
  readonly artifact: Artifact;
};

export const PUBLICATION_RESULTS = [
  'created',
  'platform_added',
  'patches_added',
  'signature_added',
  'notes_added',
  'unchanged',
] as const;

export type PublicationResult = {
  readonly release: Release;
  readonly result: (typeof PUBLICATION_RESULTS)[number];
};

type Detail = 'channel' | 'build' | 'notes_en' | 'notes_ko' | 'released_at';

const NAMES: Readonly<Record<Detail, string>> = {
  channel: 'channel',
  build: 'build',
  notes_en: 'English notes',
  notes_ko: 'Korean notes',
  released_at: 'release moment',
};

/** The first field that differs from the published release. Missing notes may be added. */
const clash = (before: Release, publication: Publication): Detail | undefined =>
  (['channel', 'build', 'notes_en', 'notes_ko', 'released_at'] as const).find(
    (detail) =>
      publication[detail] !== null &&
      publication[detail] !== before[detail] &&
      !(detail.startsWith('notes') && before[detail] === null),
  );

const termsOf = (before: Release | undefined, publication: Publication): Pick<Release, 'sparkle'> => {
  const sparkle = { ...NO_TERMS, ...before?.sparkle, ...publication.sparkle };
  return before?.sparkle || !isSameJson(sparkle, NO_TERMS) ? { sparkle } : {};
};

/** The installation type of the published file, if the publication has another one. */
const otherInstallation = (before: Release, { artifact }: Publication): string | undefined => {
  const there = before.artifacts.find(({ platform }) => platform === artifact.platform);
  const { installation_type: asked } = artifact;
  return there && asked && asked !== there.installation_type ? (there.installation_type ?? 'none') : undefined;
};

const difference = (before: Release, publication: Publication, terms: Pick<Release, 'sparkle'>): string | undefined => {
  const detail = clash(before, publication);
  if (detail) return `${NAMES[detail]} ${before[detail] ?? 'none'}`;
  const installation = otherInstallation(before, publication);
  if (installation) return `the installation type ${installation}`;
  const there = before.artifacts.find(({ platform }) => platform === publication.artifact.platform)?.updater_signature;
  const { updater_signature: sent = there } = publication.artifact;
  if (there !== undefined && sent !== there) return 'another signature for the updater';
  return isSameJson(terms.sparkle, before.sparkle) ? undefined : 'other terms for Sparkle';
};

const withPatches = (before: Artifact, sent: Artifact): Artifact =>
  sent.deltas?.length ? { ...before, deltas: withDeltas(before, sent.deltas) } : before;

/** The artifact with the new updater signature, which `difference` has accepted. */
const withSignature = (before: Artifact, { updater_signature }: Artifact): Artifact =>
  updater_signature && !before.updater_signature ? { ...before, updater_signature } : before;

const VERSION_EXISTS = 'version_exists';

/** Refuses a file or patch if the release already has different bytes for it. */
const taken = (before: Release, artifact: Artifact): Outcome<null, typeof VERSION_EXISTS> => {
  const there = otherBytes(before, artifact);
  if (there) {
    return refuse(VERSION_EXISTS, {
      message: `Version ${before.version} already has another file for ${platformName(there)} (sha256 ${there.sha256}); publish a new version.`,
    });
  }
  const same = before.artifacts.find(({ platform }) => platform === artifact.platform);
  const patch = artifact.deltas?.map((delta) => otherPatch(same, delta)).find((one) => one !== undefined);
  return patch
    ? refuse(VERSION_EXISTS, {
        message: `Version ${before.version} already has another patch from build ${patch.from_build} (sha256 ${patch.sha256}); publish a new version.`,
      })
    : ok(null);
};

/**
 * Adds a file to a release: a version's first file creates the release, a later one adds a platform, patches or missing
 * notes. Published content never changes: other bytes for a platform are refused with `version_exists`; another
 * channel, build or release time, other notes and other Sparkle terms are refused with `release_differs`. Nothing is
 * added to a withdrawn release.
 */
export const publishInto = (
  before: Release | undefined,
  publication: Publication,
  fresh: Pick<Release, 'id' | 'released_at'>,
): Outcome<PublicationResult, 'release_withdrawn' | 'version_exists' | 'release_differs'> => {
  const { artifact, channel, sparkle, released_at, ...details } = publication;
  const terms = termsOf(before, publication);
  if (!before) {
    const made = { ...fresh, ...details, channel: channel ?? 'stable', source_ref: null, artifacts: [artifact] };
    return ok({
      release: { ...made, released_at: released_at ?? fresh.released_at, ...terms },
      result: 'created',
    });
  }
  if (before.withdrawn) {
    return refuse('release_withdrawn', {
      message: `${withdrawnMessage(before)} Publish a new version, or offer this one again with "release restore".`,
    });
  }
  const free = taken(before, artifact);
  if (!free.ok) return free;
  const what = difference(before, publication, terms);
  if (what !== undefined) {
    return refuse('release_differs', {
      message: `Version ${before.version} is published with ${what}; publish a new version, or leave it as it is.`,
    });
  }
  const has = before.artifacts.some(({ platform }) => platform === artifact.platform);
  const grown = before.artifacts.map((one) => (one.platform === artifact.platform ? withPatches(one, artifact) : one));
  const patched = !isSameJson(grown, before.artifacts);
  const artifacts = has
    ? grown.map((one) => (one.platform === artifact.platform ? withSignature(one, artifact) : one))
    : [...before.artifacts, artifact];
  const signed = has && !isSameJson(artifacts, grown);
  const notes = {
    notes_en: before.notes_en ?? publication.notes_en,
    notes_ko: before.notes_ko ?? publication.notes_ko,
  };
  const annotated = notes.notes_en !== before.notes_en || notes.notes_ko !== before.notes_ko;
  const release = { ...before, ...notes, artifacts };
  if (!has) return ok({ release, result: 'platform_added' });
  if (patched) return ok({ release, result: 'patches_added' });
  if (signed) return ok({ release, result: 'signature_added' });
  return ok({ release, result: annotated ? 'notes_added' : 'unchanged' });
};
