import type { Feed, Product } from '../catalog/product.ts';
import { feedArtifacts, isInFeed } from './appcast.ts';
import { platformName } from './publication.ts';
import type { Artifact, Release } from './release.ts';
import { isBuild, isSystemVersion, NO_TERMS, type SparkleTerms } from './sparkle-terms.ts';
import { sparkleOrder, type VersionOrder } from './version-order.ts';

/** What would break an appcast, as the end of a sentence about a member of the release (`sparkle.link`). */
export type FeedFault = { readonly member: string; readonly message: string };

const { compare } = sparkleOrder();

/** What Sparkle follows; it drops any other. */
const WEB_ADDRESS = /^https?:\/\/[^\s/]\S*$/i;

/** Base64 of the 64 bytes of an Ed25519 signature. */
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;

/** Who may read a product's appcast, or null where its kind has none: Sparkle updates applications of macOS. */
export const feedOf = ({ delivery, feed }: Product): Feed | null =>
  delivery.strategy === 'macos-app' ? (feed ?? 'public') : null;

const termsFaults = (terms: SparkleTerms, build: string | null): FeedFault[] => {
  const { minimum_system_version: minimum, maximum_system_version: maximum } = terms;
  const { critical, informational, minimum_autoupdate_version: autoupdate } = terms;
  const builds: (readonly [member: string, build: string | null])[] = [
    ['minimum_autoupdate_version', autoupdate],
    ['ignore_skipped_upgrades_below_version', terms.ignore_skipped_upgrades_below_version],
    ['critical.below_version', critical?.below_version ?? null],
    ['informational.below_version', informational?.below_version ?? null],
    ...(informational?.versions ?? []).map((one, n) => [`informational.versions.${n}`, one] as const),
  ];
  const systems = [
    ['minimum_system_version', minimum],
    ['maximum_system_version', maximum],
  ] as const;
  const links = [
    ['link', terms.link],
    ['full_release_notes_link', terms.full_release_notes_link],
    ...Object.entries(terms.release_notes_link ?? {}).map(([locale, url]) => [`release_notes_link.${locale}`, url]),
  ] as const;
  const faults: FeedFault[] = [
    ...links.flatMap(([member = '', url]) =>
      url === null || url === undefined || WEB_ADDRESS.test(url)
        ? []
        : [{ member, message: 'must be an address that begins with https:// or http://' }],
    ),
    ...builds.flatMap(([member, text]) =>
      text === null || isBuild(text)
        ? []
        : [{ member, message: `"${text}" is no build number, which is digits and dots` }],
    ),
    ...systems.flatMap(([member, text]) =>
      text === null || isSystemVersion(text)
        ? []
        : [{ member, message: `"${text}" is no version of macOS such as 13.0.0` }],
    ),
  ];
  if (faults.length === 0 && minimum !== null && maximum !== null && compare(minimum, maximum) > 0) {
    faults.push({
      member: 'maximum_system_version',
      message: `no system is at least ${minimum} and at most ${maximum}`,
    });
  }
  if (faults.length === 0 && build !== null && autoupdate !== null && compare(autoupdate, build) > 0) {
    faults.push({
      member: 'minimum_autoupdate_version',
      message: `${autoupdate} is above the build ${build} itself, so that every update to it would be a major upgrade`,
    });
  }
  if (informational !== null && terms.link === null) {
    faults.push({ member: 'link', message: 'an informational update needs a page that it leads to' });
  }
  return faults.map(({ member, message }) => ({ member: `sparkle.${member}`, message }));
};

const fileFaults = (artifact: Artifact, member: string, build: string | null): FeedFault[] => {
  const deltas = artifact.deltas ?? [];
  const files = [{ at: member, file: artifact }, ...deltas.map((file, n) => ({ at: `${member}.deltas.${n}`, file }))];
  return [
    ...files.flatMap(({ at, file: { size, signature } }) => [
      ...(size > 0 ? [] : [{ member: at, message: 'is empty' }]),
      ...(signature === null || SIGNATURE.test(signature)
        ? []
        : [{ member: `${at}.signature`, message: 'is no Ed25519 signature' }]),
    ]),
    ...deltas.flatMap(({ from_build }, n) => {
      const at = `${member}.deltas.${n}.from_build`;
      if (!isBuild(from_build)) {
        return [{ member: at, message: `"${from_build}" is no build number, which is digits and dots` }];
      }
      const twin = deltas.findIndex((other) => compare(other.from_build, from_build) === 0);
      if (twin < n) return [{ member: at, message: `there is a patch from build ${from_build} already` }];
      return build !== null && compare(from_build, build) >= 0
        ? [{ member: at, message: `a patch from build ${from_build} can’t lead to build ${build}, which isn’t newer` }]
        : [];
    }),
  ];
};

const architectures = (release: Release): readonly string[] =>
  feedArtifacts(release).flatMap(({ platform }) =>
    platform === null ? ['arm64', 'x86_64'] : [platform === 'darwin-arm64' ? 'arm64' : 'x86_64'],
  );

/** True where there is a Mac that both could be offered to. A client may listen to every channel, so these don't count. */
const shareClients = (a: Release, b: Release): boolean => {
  const [left, right] = [a.sparkle ?? NO_TERMS, b.sparkle ?? NO_TERMS];
  const reaches = (minimum: string | null, maximum: string | null): boolean =>
    minimum === null || maximum === null || compare(minimum, maximum) <= 0;
  return (
    reaches(left.minimum_system_version, right.maximum_system_version) &&
    reaches(right.minimum_system_version, left.maximum_system_version) &&
    architectures(a).some((one) => architectures(b).includes(one))
  );
};

/**
 * Builds have to go in the order of versions among releases that one Mac may be offered, whatever its channels: otherwise
 * Sparkle, which knows builds alone, would take an older version for an update.
 */
const orderFaults = (release: Release, other: Release, order: VersionOrder): FeedFault[] => {
  if (release.build === null || other.build === null || !isBuild(other.build)) return [];
  const builds = compare(release.build, other.build);
  if (builds === 0) {
    return [{ member: 'build', message: `version ${other.version} has the build ${other.build} already` }];
  }
  const versions = order.compare(release.version, other.version);
  if (versions === 0 || Math.sign(versions) === Math.sign(builds) || !shareClients(release, other)) return [];
  const [newer, older] = versions > 0 ? [release, other] : [other, release];
  return [
    {
      member: 'build',
      message: `version ${newer.version} has the build ${newer.build}, which Sparkle takes for older than the ${older.build} of version ${older.version}`,
    },
  ];
};

/**
 * Everything by which a release would break its product's appcast, in itself and among the others of the product. A
 * release that Sparkle can't be told of breaks nothing.
 */
export const feedFaults = (release: Release, others: readonly Release[], order: VersionOrder): FeedFault[] => {
  const { build } = release;
  if (build !== null && !isBuild(build)) {
    return [{ member: 'build', message: `"${build}" is no build number, which is digits and dots` }];
  }
  const faults = [
    ...termsFaults(release.sparkle ?? NO_TERMS, build),
    ...release.artifacts.flatMap((artifact, n) => fileFaults(artifact, `artifacts.${n}`, build)),
  ];
  if (faults.length > 0 || !isInFeed(release)) return faults;
  return others.filter(isInFeed).flatMap((other) => orderFaults(release, other, order));
};

/** The files of a product's feed that were published without a signature, by version and platform. */
export const unsignedFiles = (releases: readonly Release[]): string[] =>
  releases.filter(isInFeed).flatMap((release) =>
    feedArtifacts(release)
      .filter(({ signature, deltas = [] }) => signature === null || deltas.some((delta) => delta.signature === null))
      .map((artifact) => `${release.version} for ${platformName(artifact)}`),
  );
