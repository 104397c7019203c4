import { type FeedFault, feedArtifacts, hasFeedFile, isInFeed, sparkleFileFaults } from './appcast.ts';
import { type BackwardPair, backwardMessage, backwardPair } from './feed-builds.ts';
import { platformName } from './publication.ts';
import type { Artifact, Delta, Release } from './release.ts';
import { isBuild, isSystemVersion, NO_TERMS, type SparkleTerms } from './sparkle-terms.ts';
import { sparkleOrder, type VersionOrder } from './version-order.ts';

const { compare } = sparkleOrder();

/** An Ed25519 signature of 64 bytes (RFC 8032) in base64. */
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;

const fileFaults = (artifact: Artifact, member: string, build: string | null): FeedFault[] => {
  const deltas = artifact.deltas ?? [];
  const files = [{ at: member, file: artifact }, ...deltas.map((file, n) => ({ at: `${member}.deltas.${n}`, file }))];
  return [
    ...files.flatMap(({ at, file: { size, signature } }) => [
      ...(size > 0 ? [] : [{ member: at, message: 'is empty' }]),
      ...(signature === null || SIGNATURE.test(signature)
        ? []
        : [{ member: `${at}.signature`, message: 'is not an Ed25519 signature' }]),
    ]),
    ...deltas.flatMap(({ from_build }, n) => {
      const at = `${member}.deltas.${n}.from_build`;
      if (!isBuild(from_build)) {
        return [{ member: at, message: `"${from_build}" is not a build number of digits and dots` }];
      }
      const twin = deltas.findIndex((other) => compare(other.from_build, from_build) === 0);
      if (twin < n) return [{ member: at, message: `there is already a patch from build ${from_build}` }];
      return build !== null && compare(from_build, build) >= 0
        ? [{ member: at, message: `a patch from build ${from_build} can’t lead to build ${build}, which isn’t newer` }]
        : [];
    }),
  ];
};

/**
 * Builds must be unique among all releases, and increase with the versions that one Mac can be offered. Otherwise
 * Sparkle, which compares only builds, would mistake an older version for an update.
 */
const buildFaults = (
  release: Release,
  other: Release,
  all: readonly Release[],
  order: VersionOrder,
  isExcused: (pair: BackwardPair) => boolean,
): readonly FeedFault[] => {
  if (release.build === null || other.build === null || !isBuild(other.build)) return [];
  if (compare(release.build, other.build) === 0) {
    return [{ member: 'build', message: `version ${other.version} already has the build ${other.build}` }];
  }
  const pair = backwardPair(release, other, all, order);
  return pair && !isExcused(pair) ? [{ member: 'build', message: backwardMessage(pair, release) }] : [];
};

/**
 * The faults by which a release would break its product's appcast, by itself and together with the `others`. The order
 * of builds is checked only if the release is in the feed (`isInFeed`). `all` are all releases that the feed will have,
 * if there are more than the `others`. A contradicting pair is not a fault if `isExcused` says so.
 */
export const feedFaults = (
  release: Release,
  others: readonly Release[],
  order: VersionOrder,
  all: readonly Release[] = others,
  isExcused: (pair: BackwardPair) => boolean = () => false,
): FeedFault[] => {
  const { build } = release;
  if (build !== null && !isBuild(build)) {
    return [{ member: 'build', message: `"${build}" is not a build number of digits and dots` }];
  }
  const offered = isInFeed(release) ? feedArtifacts(release) : [];
  const faults = [
    ...termsFaults(release.sparkle ?? NO_TERMS, build),
    ...release.artifacts.flatMap((artifact, n) => [
      ...(offered.includes(artifact) ? sparkleFileFaults(artifact, `artifacts.${n}`) : []),
      ...fileFaults(artifact, `artifacts.${n}`, build),
    ]),
  ];
  if (faults.length > 0 || !isInFeed(release)) return faults;
  return others.filter(hasFeedFile).flatMap((other) => buildFaults(release, other, all, order, isExcused));
};

/** The unsigned files of a product's feed, each as `VERSION for PLATFORM`. */
export const unsignedFiles = (releases: readonly Release[]): string[] =>
  releases.filter(isInFeed).flatMap((release) =>
    feedArtifacts(release)
      .filter(({ signature, deltas = [] }) => signature === null || deltas.some((delta) => delta.signature === null))
      .map((artifact) => `${release.version} for ${platformName(artifact)}`),
  );

/** A signed file of a feed, and its name for messages. */
export type SignedFile = Pick<Delta, 'sha256' | 'size' | 'signed_by'> & {
  readonly name: string;
  readonly signature: string;
};

const signedFile = (name: string, { sha256, size, signature, signed_by }: Omit<Delta, 'from_build'>): SignedFile[] =>
  signature === null ? [] : [{ name, sha256, size, signature, signed_by }];

/** The signed files and patches of a product's feed, each as `VERSION for PLATFORM`. */
export const signedFiles = (releases: readonly Release[]): SignedFile[] =>
  releases.filter(isInFeed).flatMap((release) =>
    feedArtifacts(release).flatMap((artifact) => {
      const name = `${release.version} for ${platformName(artifact)}`;
      const patches = (artifact.deltas ?? []).flatMap((delta) => signedFile(`${name} from ${delta.from_build}`, delta));
      return [...signedFile(name, artifact), ...patches];
    }),
  );

type Members = readonly (readonly [member: string, text: string | null | undefined])[];

/** A URL that Sparkle follows; it ignores any other. */
const WEB_ADDRESS = /^https?:\/\/[^\s/]\S*$/i;

const unless = (right: (text: string) => boolean, why: (text: string) => string, members: Members): FeedFault[] =>
  members.flatMap(([member, text]) => (text == null || right(text) ? [] : [{ member, message: why(text) }]));

const malformed = (terms: SparkleTerms): FeedFault[] => [
  ...unless(
    (text) => WEB_ADDRESS.test(text),
    () => 'must be an address that begins with https:// or http://',
    [
      ['link', terms.link],
      ['full_release_notes_link', terms.full_release_notes_link],
      ['release_notes_link.en', terms.release_notes_link?.en],
      ['release_notes_link.ko', terms.release_notes_link?.ko],
    ],
  ),
  ...unless(isBuild, (text) => `"${text}" is not a build number of digits and dots`, [
    ['minimum_autoupdate_version', terms.minimum_autoupdate_version],
    ['ignore_skipped_upgrades_below_version', terms.ignore_skipped_upgrades_below_version],
    ['critical.below_version', terms.critical?.below_version],
    ['informational.below_version', terms.informational?.below_version],
    ...(terms.informational?.versions ?? []).map((text, n) => [`informational.versions.${n}`, text] as const),
  ]),
  ...unless(isSystemVersion, (text) => `"${text}" is no version of macOS such as 13.0.0`, [
    ['minimum_system_version', terms.minimum_system_version],
    ['maximum_system_version', terms.maximum_system_version],
  ]),
];

/** Fields that are valid by themselves but contradict each other. */
const contradicting = (terms: SparkleTerms, build: string | null): FeedFault[] => {
  const { minimum_system_version: minimum, maximum_system_version: maximum, informational, link } = terms;
  const { minimum_autoupdate_version: autoupdate } = terms;
  const faults: FeedFault[] = [];
  if (minimum !== null && maximum !== null && compare(minimum, maximum) > 0) {
    faults.push({
      member: 'maximum_system_version',
      message: `no system is at least ${minimum} and at most ${maximum}`,
    });
  }
  if (build !== null && autoupdate !== null && compare(autoupdate, build) > 0) {
    faults.push({
      member: 'minimum_autoupdate_version',
      message: `${autoupdate} is above the build ${build} itself, so every update to it would be a major upgrade`,
    });
  }
  if (informational !== null && link === null) {
    faults.push({ member: 'link', message: 'an informational update needs a page to link to' });
  }
  return faults;
};

export const termsFaults = (terms: SparkleTerms, build: string | null): FeedFault[] => {
  const faults = malformed(terms);
  return (faults.length > 0 ? faults : contradicting(terms, build)).map(({ member, message }) => ({
    member: `sparkle.${member}`,
    message,
  }));
};
