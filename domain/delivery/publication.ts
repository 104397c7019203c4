import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { isSameJson } from '../shared/same-json.ts';
import type { Channel } from './channel.ts';
import type { Artifact, Delta, Release } from './release.ts';
import { NO_TERMS, type SparkleTerms } from './sparkle-terms.ts';

/** Without control characters, slashes and dots alone, so that it stays one name wherever it is saved. */
const FILENAME = /^(?!\.{1,2}$)[^/\\\p{Cc}\p{Cs}]{1,255}$/u;

export const isFileName = (name: string): boolean => FILENAME.test(name);

/** The file that a release has for an artifact's platform, where its bytes are others. */
export const otherBytes = (
  release: Release | undefined,
  { platform, sha256 }: Pick<Artifact, 'platform' | 'sha256'>,
): Artifact | undefined =>
  release?.artifacts.find((artifact) => artifact.platform === platform && artifact.sha256 !== sha256);

/** The patches that an artifact gets, beside those from other builds that it has. */
export const withDeltas = (before: Artifact | undefined, named: readonly Delta[]): readonly Delta[] => {
  const builds = new Set(named.map(({ from_build }) => from_build));
  return [...named, ...(before?.deltas ?? []).filter(({ from_build }) => !builds.has(from_build))];
};

/** The patch that an artifact has from a build, where its bytes are others. */
export const otherPatch = (
  before: Artifact | undefined,
  { from_build, sha256 }: Pick<Delta, 'from_build' | 'sha256'>,
): Delta | undefined => before?.deltas?.find((delta) => delta.from_build === from_build && delta.sha256 !== sha256);

/** The artifacts that a document names, beside those of other platforms that the release has. */
export const besideOthers = (before: Release | undefined, named: readonly Artifact[]): readonly Artifact[] => {
  const platforms = new Set(named.map(({ platform }) => platform));
  return [...named, ...(before?.artifacts ?? []).filter(({ platform }) => !platforms.has(platform))];
};

export const platformName = ({ platform }: Pick<Artifact, 'platform'>): string => platform ?? 'every platform';

/** What an operator publishes: one file of one version. What is null is taken from the release if there is one. */
export type Publication = {
  readonly product_id: number;
  /** As the product's scheme writes it. */
  readonly version: string;
  readonly channel: Channel | null;
  readonly build: string | null;
  readonly notes_en: string | null;
  readonly notes_ko: string | null;
  /** What is to be told to Sparkle; members left out are those of the release. */
  readonly sparkle: Partial<SparkleTerms>;
  readonly artifact: Artifact;
};

export type Published = {
  readonly release: Release;
  readonly result: 'created' | 'platform_added' | 'patches_added' | 'notes_added' | 'unchanged';
};

type Detail = 'channel' | 'build' | 'notes_en' | 'notes_ko';

const NAMES: Readonly<Record<Detail, string>> = {
  channel: 'channel',
  build: 'build',
  notes_en: 'English notes',
  notes_ko: 'Korean notes',
};

/** Notes may be added where a release has none; the rest of it stands. */
const clash = (before: Release, wish: Publication): Detail | undefined =>
  (['channel', 'build', 'notes_en', 'notes_ko'] as const).find(
    (detail) =>
      wish[detail] !== null &&
      wish[detail] !== before[detail] &&
      !(detail.startsWith('notes') && before[detail] === null),
  );

const termsOf = (before: Release | undefined, wish: Publication): Pick<Release, 'sparkle'> => {
  const sparkle = { ...NO_TERMS, ...before?.sparkle, ...wish.sparkle };
  return before?.sparkle || !isSameJson(sparkle, NO_TERMS) ? { sparkle } : {};
};

const withPatches = (before: Artifact, sent: Artifact): Artifact =>
  sent.deltas?.length ? { ...before, deltas: withDeltas(before, sent.deltas) } : before;

const VERSION_EXISTS = 'version_exists';

/** Why a file can't be the release's: it has another one in that place. */
const taken = (before: Release, artifact: Artifact): Outcome<null, typeof VERSION_EXISTS> => {
  const there = otherBytes(before, artifact);
  if (there) {
    return refuse(VERSION_EXISTS, {
      message: `Version ${before.version} has another file for ${platformName(there)} already (sha256 ${there.sha256}); publish a new version.`,
    });
  }
  const same = before.artifacts.find(({ platform }) => platform === artifact.platform);
  const patch = artifact.deltas?.map((delta) => otherPatch(same, delta)).find((one) => one !== undefined);
  return patch
    ? refuse(VERSION_EXISTS, {
        message: `Version ${before.version} has another patch from build ${patch.from_build} already (sha256 ${patch.sha256}); publish a new version.`,
      })
    : ok(null);
};

/**
 * The release after a file was published into it: a new one, or the version's own with one more platform or more patches.
 * What has been published stays as it is: other bytes for a platform, another channel or build, other notes and other
 * terms for Sparkle are refused.
 */
export const publishInto = (
  before: Release | undefined,
  wish: Publication,
  fresh: Pick<Release, 'id' | 'released_at'>,
): Outcome<Published, 'version_exists' | 'release_differs'> => {
  const { artifact, channel, sparkle, ...details } = wish;
  const terms = termsOf(before, wish);
  if (!before) {
    const made = { ...fresh, ...details, channel: channel ?? 'stable', source_ref: null, artifacts: [artifact] };
    return ok({ release: { ...made, ...terms }, result: 'created' });
  }
  const free = taken(before, artifact);
  if (!free.ok) return free;
  const differing = clash(before, wish);
  if (differing || !isSameJson(terms.sparkle, before.sparkle)) {
    const what = differing ? `${NAMES[differing]} ${before[differing] ?? 'none'}` : 'other terms for Sparkle';
    return refuse('release_differs', {
      message: `Version ${before.version} is published with ${what}; publish a new version, or leave it as it is.`,
    });
  }
  const has = before.artifacts.some(({ platform }) => platform === artifact.platform);
  const artifacts = has
    ? before.artifacts.map((one) => (one.platform === artifact.platform ? withPatches(one, artifact) : one))
    : [...before.artifacts, artifact];
  const notes = { notes_en: before.notes_en ?? wish.notes_en, notes_ko: before.notes_ko ?? wish.notes_ko };
  const annotated = notes.notes_en !== before.notes_en || notes.notes_ko !== before.notes_ko;
  const patched = has && !isSameJson(artifacts, before.artifacts);
  const result = !has ? 'platform_added' : patched ? 'patches_added' : annotated ? 'notes_added' : 'unchanged';
  return ok({ release: { ...before, ...notes, artifacts }, result });
};
