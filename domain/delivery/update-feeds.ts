import { PLATFORMS, type Platform } from '../catalog/platform.ts';
import { type Instant, millis } from '../shared/instant.ts';
import { textOrNull } from '../shared/locale.ts';
import { type Channel, channelOffers } from './channel.ts';
import type { ReleaseLine } from './offered-release.ts';
import { type Artifact, artifactFor, type FileSums, isCovered, type Release } from './release.ts';
import { NO_TERMS } from './sparkle-terms.ts';

/*
 * The feeds of updaters other than Sparkle. They offer the same releases as an appcast: those that are out, not
 * withdrawn, and covered by the reader's update window. Versions must be semantic, because these updaters accept no
 * others. A release that is only informational in Sparkle is omitted.
 */

/** A version in the form of Semantic Versioning 2.0.0. */
const SEMANTIC = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** The number of user groups that a phased rollout reaches one after another (Sparkle, SUPhasedUpdateGroupInfo). */
const GROUPS = 7;

/** The reader of a feed: the channel, the end of the update window (null means never), and the current time. */
export type UpdateReader = {
  readonly channel: Channel;
  readonly updates_until: Instant | null;
  readonly now: Instant;
};

/** The percentage of users that a phased rollout has reached; 100 without one, and for a critical update. */
export const reachedPercentage = ({ sparkle, released_at }: Release, now: Instant): number => {
  const { phased_rollout_interval: interval, critical } = sparkle ?? NO_TERMS;
  if (interval === null || critical?.below_version === null) return 100;
  const groups = 1 + Math.floor((millis(now) - millis(released_at)) / (interval * 1000));
  return Math.min(100, Math.floor((groups * 100) / GROUPS));
};

const offeredTo = ({ offered }: ReleaseLine, { channel, updates_until }: UpdateReader): Release[] =>
  offered.filter(
    (release) =>
      channelOffers(channel, release.channel) &&
      isCovered(release, updates_until) &&
      SEMANTIC.test(release.version) &&
      !release.sparkle?.informational,
  );

type Served<A extends Artifact> = { readonly release: Release; readonly files: readonly A[] };

/**
 * For each platform that any of the releases serves, the newest release with a matching file, so no client gets the
 * file of another processor. A file for every platform is listed once.
 */
const newestFor = <A extends Artifact>(
  releases: readonly Release[],
  platforms: readonly Platform[],
  line: ReleaseLine,
  fits: (artifact: Artifact) => artifact is A,
): Served<A> | null => {
  const fileFor = (release: Release, platform: Platform): A[] => {
    const artifact = artifactFor(release, platform, line.platforms);
    return artifact && fits(artifact) ? [artifact] : [];
  };
  const served = platforms.filter((platform) => releases.some((release) => fileFor(release, platform).length > 0));
  for (const release of releases) {
    const files = served.flatMap((platform) => fileFor(release, platform));
    if (files.length > 0 && files.length === served.length) return { release, files: [...new Set(files)] };
  }
  return null;
};

type Summed = Artifact & { readonly sums: FileSums };

const isSummed =
  (endings: readonly string[]) =>
  (artifact: Artifact): artifact is Summed =>
    artifact.sums !== undefined && endings.some((ending) => artifact.filename.toLowerCase().endsWith(ending));

/** The files that electron-updater requests by the system's suffix, x64 first, and the formats that it can install. */
const ELECTRON: Readonly<Record<string, { platforms: readonly Platform[]; endings: readonly string[] }>> = {
  '': { platforms: ['windows-amd64', 'windows-arm64'], endings: ['.exe'] },
  '-mac': { platforms: ['darwin-amd64', 'darwin-arm64'], endings: ['.zip'] },
  '-linux': { platforms: ['linux-amd64'], endings: ['.appimage', '.deb', '.rpm', '.pacman'] },
  '-linux-arm64': { platforms: ['linux-arm64'], endings: ['.appimage', '.deb', '.rpm', '.pacman'] },
};

const channelOf = (name: string | undefined): Channel =>
  name === 'beta' || name === 'alpha' || name === 'dev' ? name : 'stable';

/** The feed that a file name refers to. */
export type NamedFeed = { readonly updater: 'electron' | 'velopack'; readonly channel: Channel; readonly mark: string };

/**
 * The feed with this file name; null for any other file. electron-updater requests `latest.yml`, `beta-mac.yml` and the
 * like (GenericProvider), and Velopack `releases.CHANNEL.json` (CoreUtil.GetVeloReleaseIndexName), where CHANNEL
 * combines a system and processor with one of our channels, both optional: `win`, `osx-arm64`, `linux-x64-beta`.
 */
export const feedNamed = (file: string): NamedFeed | null => {
  const [, electron, mark = ''] = /^(latest|beta|alpha|dev)(-mac|-linux|-linux-arm64)?\.yml$/.exec(file) ?? [];
  if (electron !== undefined) return { updater: 'electron', channel: channelOf(electron), mark };
  const [, system, processor = 'x64', channel] =
    /^releases\.(win|osx|linux)(?:-(x64|arm64))?(?:-(stable|beta|alpha|dev))?\.json$/.exec(file) ?? [];
  return system === undefined
    ? null
    : { updater: 'velopack', channel: channelOf(channel), mark: `${system}-${processor}` };
};

/** The file of a channel for electron-updater's generic provider (builder-util-runtime, UpdateInfo). */
export type ElectronFeed = {
  readonly version: string;
  /** `url` is relative to the feed, `sha512` base64, `size` bytes. */
  readonly files: readonly { readonly url: string; readonly sha512: string; readonly size: number }[];
  readonly path: string;
  readonly sha512: string;
  readonly releaseDate: Instant;
  /** Present during a phased rollout: the percentage of users that it has reached. */
  readonly stagingPercentage?: number;
};

/** The ticket that a release's links need; null for none. */
export type TicketOf = (release_id: number) => string | null;

/** The URL of a file relative to the feed: it ends with the file's name, because the updater needs the extension. */
const relativeAddress = (release: Release, { filename, platform }: Artifact, ticketOf: TicketOf): string => {
  const ticket = ticketOf(release.id);
  const query = [`release=${release.id}`, ...(platform ? [`platform=${platform}`] : [])];
  return `${encodeURIComponent(filename)}?${[...query, ...(ticket ? [`ticket=${ticket}`] : [])].join('&')}`;
};

/** Null if no release has a file that electron-updater can install on the system. */
export const electronFeed = (
  line: ReleaseLine,
  mark: string,
  reader: UpdateReader,
  ticketOf: TicketOf,
): ElectronFeed | null => {
  const { platforms, endings } = ELECTRON[mark] ?? { platforms: [], endings: [] };
  const served = newestFor(offeredTo(line, reader), platforms, line, isSummed(endings));
  if (!served) return null;
  const { release } = served;
  const files = served.files.map((file) => ({
    url: relativeAddress(release, file, ticketOf),
    sha512: file.sums.sha512,
    size: file.size,
  }));
  const [{ url: path, sha512 }] = files as [ElectronFeed['files'][number]];
  const percentage = reachedPercentage(release, reader.now);
  return {
    version: release.version,
    files,
    path,
    sha512,
    releaseDate: release.released_at,
    ...(percentage < 100 && { stagingPercentage: percentage }),
  };
};

const isOutForAll =
  ({ now }: UpdateReader) =>
  (release: Release): boolean =>
    reachedPercentage(release, now) === 100;

const notesOf = ({ notes_en, notes_ko }: Release): string | null => textOrNull(notes_en) ?? textOrNull(notes_ko);

/** A package for Velopack (VelopackAsset). The sums are upper-case hex, as its own tools write them. */
export type VelopackAsset = {
  readonly PackageId: string;
  readonly Version: string;
  readonly Type: 'Full';
  readonly FileName: string;
  readonly SHA1: string;
  readonly SHA256: string;
  readonly Size: number;
  readonly NotesMarkdown: string;
};

/** Our names of Velopack's systems and processors. */
const VELOPACK: Readonly<Record<string, string>> = { win: 'windows', osx: 'darwin', linux: 'linux', x64: 'amd64' };

/** The package id at the start of Velopack's file name `ID-VERSION-full.nupkg`; empty for another name. */
const packageIdOf = (filename: string, version: string): string => {
  const at = filename.indexOf(`-${version.replace(/\+.*/, '')}-`);
  return filename.endsWith('-full.nupkg') && at > 0 ? filename.slice(0, at) : '';
};

/**
 * Only the newest package, because Velopack reads no other. Velopack has no user groups, so it is offered a phased
 * release once the rollout is complete.
 */
export const velopackFeed = (
  line: ReleaseLine,
  mark: string,
  reader: UpdateReader,
): { readonly Assets: readonly VelopackAsset[] } => {
  const named = mark
    .split('-')
    .map((name) => VELOPACK[name] ?? name)
    .join('-');
  const platforms = PLATFORMS.filter((platform) => platform === named);
  const releases = offeredTo(line, reader).filter(isOutForAll(reader));
  const served = newestFor(releases, platforms, line, isSummed(['-full.nupkg']));
  const [file] = served?.files ?? [];
  const PackageId = served && file ? packageIdOf(file.filename, served.release.version) : '';
  if (!served || !file || PackageId === '') return { Assets: [] };
  const { release } = served;
  return {
    Assets: [
      {
        PackageId,
        Version: release.version,
        Type: 'Full',
        FileName: file.filename,
        SHA1: file.sums.sha1.toUpperCase(),
        SHA256: file.sha256.toUpperCase(),
        Size: file.size,
        NotesMarkdown: notesOf(release) ?? '',
      },
    ],
  };
};

/** An application that uses Tauri's updater: its system and processor as Tauri names them, and its version. */
/** `version` is the installed one, in the form of the product's scheme. */
export type TauriClient = { readonly target: string; readonly arch: string; readonly version: string };

/** The update of an application as Tauri's updater reads it (tauri-plugin-updater, RemoteRelease). */
export type TauriUpdate = {
  readonly version: string;
  readonly url: string;
  readonly signature: string;
  readonly notes: string | null;
  readonly pub_date: Instant;
};

type Signed = Artifact & { readonly updater_signature: string };

const isSigned = (artifact: Artifact): artifact is Signed => artifact.updater_signature !== undefined;

const PROCESSORS: Readonly<Record<string, string>> = { x86_64: 'amd64', aarch64: 'arm64' };

/** True if a file of the product has a signature for Tauri's updater, which installs only signed files. */
export const hasUpdaterSignature = ({ offered }: ReleaseLine): boolean =>
  offered.some(({ artifacts }) => artifacts.some(isSigned));

/**
 * The update for a client of Tauri's updater; null if the client has the newest version, or its platform is not served.
 * As for Velopack, a phased release is offered once the rollout is complete.
 */
export const tauriUpdate = (
  line: ReleaseLine,
  { target, arch, version }: TauriClient,
  reader: UpdateReader,
  address: (release: Release, artifact: Artifact) => string,
): TauriUpdate | null => {
  const platforms = PLATFORMS.filter((platform) => platform === `${target}-${PROCESSORS[arch] ?? arch}`);
  const served = newestFor(offeredTo(line, reader).filter(isOutForAll(reader)), platforms, line, isSigned);
  const [file] = served?.files ?? [];
  if (!served || !file) return null;
  const { release } = served;
  if (line.order.compare(release.version, version) <= 0) return null;
  return {
    version: release.version,
    url: address(release, file),
    signature: file.updater_signature,
    notes: notesOf(release),
    pub_date: release.released_at,
  };
};

/**
 * The newest release with a file of this name, and with the id and platform if the link has them; undefined if there is
 * none.
 */
export const fileNamed = (
  releases: readonly Release[],
  filename: string,
  input: { readonly release: number | null; readonly platform: Platform | null },
): { readonly release: Release; readonly artifact: Artifact } | undefined =>
  releases
    .toSorted((a, b) => (a.released_at < b.released_at ? 1 : -1))
    .flatMap((release) => release.artifacts.map((artifact) => ({ release, artifact })))
    .find(
      ({ release, artifact }) =>
        artifact.filename === filename &&
        (input.release === null || input.release === release.id) &&
        (input.platform === null || input.platform === artifact.platform),
    );
