import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import type { Channel } from './channel.ts';
import type { Artifact, Release } from './release.ts';

/** Without control characters, slashes and dots alone, so that it stays one name wherever it is saved. */
const FILENAME = /^(?!\.{1,2}$)[^/\\\p{Cc}\p{Cs}]{1,255}$/u;

export const isFileName = (name: string): boolean => FILENAME.test(name);

/** The file that a release has for an artifact's platform, where its bytes are others. */
export const otherBytes = (
  release: Release | undefined,
  { platform, sha256 }: Pick<Artifact, 'platform' | 'sha256'>,
): Artifact | undefined =>
  release?.artifacts.find((artifact) => artifact.platform === platform && artifact.sha256 !== sha256);

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
  readonly artifact: Artifact;
};

export type Published = {
  readonly release: Release;
  readonly result: 'created' | 'platform_added' | 'notes_added' | 'unchanged';
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

/**
 * The release after a file was published into it: a new one, or the version's own with one more platform. What has been
 * published stays as it is: other bytes for a platform, another channel or build, and other notes are refused.
 */
export const publishInto = (
  before: Release | undefined,
  wish: Publication,
  fresh: Pick<Release, 'id' | 'released_at'>,
): Outcome<Published, 'version_exists' | 'release_differs'> => {
  const { artifact, channel, ...details } = wish;
  if (!before) {
    const release = { ...fresh, ...details, channel: channel ?? 'stable', source_ref: null, artifacts: [artifact] };
    return ok({ release, result: 'created' });
  }
  const there = otherBytes(before, artifact);
  if (there) {
    return refuse('version_exists', {
      message: `Version ${before.version} has another file for ${platformName(there)} already (sha256 ${there.sha256}); publish a new version.`,
    });
  }
  const differing = clash(before, wish);
  if (differing) {
    return refuse('release_differs', {
      message: `Version ${before.version} is published with ${NAMES[differing]} ${before[differing] ?? 'none'}; publish a new version, or leave it as it is.`,
    });
  }
  const has = before.artifacts.some(({ platform }) => platform === artifact.platform);
  const release = {
    ...before,
    notes_en: before.notes_en ?? wish.notes_en,
    notes_ko: before.notes_ko ?? wish.notes_ko,
    artifacts: has ? before.artifacts : [...before.artifacts, artifact],
  };
  const annotated = release.notes_en !== before.notes_en || release.notes_ko !== before.notes_ko;
  return ok({ release, result: has ? (annotated ? 'notes_added' : 'unchanged') : 'platform_added' });
};
