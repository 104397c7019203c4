import { listedPlatforms, PLATFORMS, type Platform, productPlatforms } from '../catalog/platform.ts';
import type { Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';
import { type Outcome, ok, type Refused, refuse } from '../shared/outcome.ts';
import { CHANNELS, type Channel, channelOffers } from './channel.ts';
import { type Artifact, artifactFor, type Delta, isCovered, isOffered, type Release } from './release.ts';
import { newestFirst, type VersionOrder } from './version-order.ts';

/*
 * The releases that a client is offered: the released versions, the newest of its channel, its update, and its install.
 * A channel offers its own releases and those of every more stable one (`channel.ts`).
 */

/**
 * The releases of one product as clients see them at one moment. Every offer is chosen from here, so no endpoint offers
 * a withdrawn release or one that is not out yet.
 */
export type ReleaseLine = {
  /** Newest first. */
  readonly offered: readonly Release[];
  readonly withdrawn: readonly Release[];
  readonly platforms: readonly Platform[];
  /** The platforms that lists and messages show (`listedPlatforms`), whether or not the product runs on them. */
  readonly listed: readonly Platform[];
  readonly order: VersionOrder;
};

export const releaseLine = (
  product: Pick<Product, 'platforms' | 'delivery'>,
  releases: readonly Release[],
  now: Instant,
  order: VersionOrder,
): ReleaseLine => {
  const offered = releases.filter((release) => isOffered(release, now)).sort(newestFirst(order));
  const files = offered.flatMap(({ artifacts }) => artifacts.map(({ platform }) => platform));
  return {
    offered,
    withdrawn: releases.filter(({ withdrawn, released_at }) => withdrawn !== undefined && released_at <= now),
    platforms: productPlatforms(product),
    listed: listedPlatforms(product.platforms, files),
    order,
  };
};

/** A sentence for buyers, in both languages. */
type Sentence = Readonly<Record<Locale, string>>;

export const withdrawnMessage = ({ version, withdrawn }: Release): string => {
  const reason = withdrawn?.reason ?? 'no reason is known';
  return `Version ${version} was withdrawn: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`;
};

const refuseWithdrawn = (release: Release): Refused<'install_not_available'> =>
  refuse('install_not_available', {
    message: withdrawnMessage(release),
    ko: `${release.version} 버전은 배포가 중단되었습니다${release.withdrawn ? `: ${release.withdrawn.reason}` : '.'}`,
  });

const beyondWindow = ({ version }: Release): Refused<'version_update_window_expired'> =>
  refuse('version_update_window_expired', {
    message: `Version ${version} came out after your update window ended; renew it or install an earlier one.`,
    ko: `${version} 버전은 업데이트 기간이 끝난 뒤에 출시되었습니다. 기간을 갱신하시거나 이전 버전을 설치해 주세요.`,
  });

/** The releases available to a reader of a channel, up to the end of the update window (null: no end). */
export const reachableReleases = (
  releases: readonly Release[],
  channel: Channel,
  updatesUntil: Instant | null,
  now: Instant,
): Release[] =>
  releases.filter((one) => isOffered(one, now) && channelOffers(channel, one.channel) && isCovered(one, updatesUntil));

const reachedBy = ({ offered }: ReleaseLine, channel: Channel): readonly Release[] =>
  offered.filter((release) => channelOffers(channel, release.channel));

/**
 * The file of a release for a client. A client without a platform gets a platform's file only if no release in `among`,
 * which it could get, has a file for another platform: otherwise the file might not run.
 */
const fileFor = (
  release: Release,
  platform: Platform | null,
  among: readonly Release[],
  { platforms }: Pick<ReleaseLine, 'platforms'>,
): Artifact | undefined => {
  const file = artifactFor(release, platform, platforms);
  if (platform !== null || file === undefined || file.platform === null) return file;
  return among.every(({ artifacts }) => artifacts.every((one) => one.platform === file.platform)) ? file : undefined;
};

/** Requires the platform, because each has its own file. */
const namePlatform = (served: readonly Platform[]): Refused<'validation_failed'> => {
  const sentence = `The platform field is required, because each platform has its own file: ${served.join(', ')}.`;
  return refuse('validation_failed', { data: { errors: { platform: [sentence] } } });
};

/**
 * The newest release that a channel offers; with a platform, the newest that has a file for it. Without a channel, the
 * newest stable release is the "current" one.
 */
export const currentRelease = (
  { offered, platforms }: ReleaseLine,
  channel: Channel = 'stable',
  platform: Platform | null = null,
): Release | undefined =>
  offered.find(
    (release) =>
      channelOffers(channel, release.channel) && (platform === null || artifactFor(release, platform, platforms)),
  );

/** The newest version of each channel, without those of more stable channels; null if there is none. */
export const newestByChannel = ({ offered }: ReleaseLine): Readonly<Record<Channel, string | null>> => {
  const newest = (channel: Channel) => offered.find((release) => release.channel === channel)?.version ?? null;
  return { stable: newest('stable'), beta: newest('beta'), alpha: newest('alpha'), dev: newest('dev') };
};

/**
 * The file of the bundle endpoint: the current release's platform-neutral artifact, the one for the platform, or that
 * of the only platform. A current release outside the update window is refused and not replaced by an older one; the
 * install plan offers the versions that the buyer may still install.
 */
export const currentBundle = (
  line: ReleaseLine,
  updatesUntil: Instant | null,
  platform: Platform | null = null,
): Outcome<InstallChoice, InstallRefusal> => {
  const release = currentRelease(line, 'stable', platform);
  if (release && !isCovered(release, updatesUntil)) return beyondWindow(release);
  const stable = reachedBy(line, 'stable');
  const artifact = release && fileFor(release, platform, stable, line);
  if (artifact) return ok({ release, artifact });
  if (release && release.artifacts.length > 0) return namePlatform(servedBy(stable, line));
  return noInstall(
    platform !== null && stable.length > 0
      ? noFileFor(platform, stable, line, { en: 'This product', ko: '이 제품' })
      : { en: 'This product has no released file.', ko: '이 제품에는 출시된 파일이 없습니다.' },
  );
};

/** True if the current release is newer than the client's version. A missing version is older than every release. */
export const updateAvailable = (current: Release, clientVersion: string | null, order: VersionOrder): boolean =>
  clientVersion === null || order.compare(current.version, clientVersion) > 0;

/** The channel and the platform of a client that asks for updates. Null: the client does not name a platform. */
export type UpdateInput = { readonly channel: Channel; readonly platform: Platform | null };

export type UpdateOffer = {
  /** The newest release of the channel; with a platform, the newest that has a file for it. */
  readonly current: Release;
  /** The file of the current release; null if each platform has its own file and the platform is unknown. */
  readonly artifact: Artifact | null;
  /** True if the update window covers the current release, whatever the platform. */
  readonly allowed: boolean;
  /** If the window does not cover the current release, the newest one that the account may install; otherwise null. */
  readonly covered: Release | null;
};

const noUpdate = (line: ReleaseLine, channel: Channel, platform: Platform | null): string => {
  const released = reachedBy(line, channel);
  return released.length > 0
    ? `No release of this product on channel ${channel} has a file for ${platform}; ${platformsThereAre(released, line)}.`
    : (widerChannel(line, channel)?.en ?? 'This product has no release yet.');
};

/** The update of a product for a client, whether or not the client has it already. */
export const offerUpdate = (
  line: ReleaseLine,
  updatesUntil: Instant | null,
  { channel, platform }: UpdateInput,
): Outcome<UpdateOffer, 'not_found'> => {
  const current = currentRelease(line, channel, platform);
  if (!current) return refuse('not_found', { message: noUpdate(line, channel, platform) });
  const released = reachedBy(line, channel);
  const allowed = isCovered(current, updatesUntil);
  const hasFile = (release: Release): boolean =>
    platform === null ? release.artifacts.length > 0 : artifactFor(release, platform, line.platforms) !== undefined;
  return ok({
    current,
    artifact: fileFor(current, platform, released, line) ?? null,
    allowed,
    covered: allowed ? null : (released.find((one) => isCovered(one, updatesUntil) && hasFile(one)) ?? null),
  });
};

export type InstallSelection = {
  /** Null is `stable`, or the channel of the named release. */
  readonly channel: Channel | null;
  readonly platform: Platform | null;
  /** The id of one release; null means the newest of the channel. */
  readonly release: number | null;
};

export type InstallChoice = { readonly release: Release; readonly artifact: Artifact };

export type InstallRefusal = 'install_not_available' | 'version_update_window_expired' | 'validation_failed';

const noInstall = ({ en, ko }: Sentence): Refused<'install_not_available'> =>
  refuse('install_not_available', { message: en, ko });

/**
 * Chooses the newest release that the channel offers, that is within the update window and that has an artifact for the
 * platform. Without a platform, the newest release with a file is chosen; if each platform has its own file, the
 * platform is required. A release named by id is accepted on any channel, unless the input names a channel that does not
 * offer it; it is refused outside the window, or if it was withdrawn.
 */
export const chooseInstall = (
  line: ReleaseLine,
  updatesUntil: Instant | null,
  input: InstallSelection,
): Outcome<InstallChoice, InstallRefusal> => {
  const { platform } = input;
  const withdrawn = line.withdrawn.find(({ id }) => id === input.release);
  if (withdrawn) return refuseWithdrawn(withdrawn);
  const named = line.offered.find(({ id }) => id === input.release);
  if (named && !isCovered(named, updatesUntil)) return beyondWindow(named);
  const channel = input.channel ?? named?.channel ?? 'stable';
  if (named && !channelOffers(channel, named.channel)) return noInstall(otherChannel(named, channel));
  const reached = reachedBy(line, channel);
  const requested = input.release === null ? reached : named ? [named] : [];
  const covered = requested.filter((r) => isCovered(r, updatesUntil));
  const filed = covered.filter(({ artifacts }) => artifacts.length > 0);
  const among = reached.filter((r) => isCovered(r, updatesUntil));
  for (const release of platform === null ? filed.slice(0, 1) : filed) {
    const artifact = fileFor(release, platform, among, line);
    if (artifact) return ok({ release, artifact });
  }
  if (platform === null && filed.length > 0) return namePlatform(servedBy(named ? filed : among, line));
  return noInstall(nothingToInstall(input, channel, line, { requested, covered }));
};

const otherChannel = ({ id, channel }: Release, requested: Channel): Sentence => ({
  en: `Release ${id} is on channel ${channel}, which channel ${requested} does not include; ask for channel ${channel}, or leave out "channel".`,
  ko: `릴리스 ${id}은(는) ${requested} 채널에 포함되지 않는 ${channel} 채널의 릴리스입니다. ${channel} 채널로 요청하시거나 "channel"을 빼 주세요.`,
});

/** The message that suggests another channel to a client whose own has no release; null if none has any. */
const widerChannel = ({ offered }: ReleaseLine, channel: Channel): Sentence | null => {
  const wider = CHANNELS.find((one) => offered.some((release) => channelOffers(one, release.channel)));
  if (wider === undefined) return null;
  return {
    en: `This product has no release on channel ${channel}; ask for channel ${wider}.`,
    ko: `이 제품은 ${channel} 채널에 출시된 버전이 없습니다. ${wider} 채널로 요청해 주세요.`,
  };
};

const servedBy = (releases: readonly Release[], { platforms, listed }: ReleaseLine): Platform[] =>
  listed.filter((one) => releases.some((release) => artifactFor(release, one, platforms)));

/** The end of a sentence about a missing file: the platforms for which some release has one. */
const platformsThereAre = (releases: readonly Release[], line: ReleaseLine): string => {
  const served = servedBy(releases, line);
  return served.length === 0 ? 'leave out "platform"' : `there are files for ${served.join(', ')}`;
};

const noFileFor = (platform: Platform, releases: readonly Release[], line: ReleaseLine, what: Sentence): Sentence => {
  const served = servedBy(releases, line).join(', ');
  return {
    en: `${what.en} has no file for ${platform}; ${platformsThereAre(releases, line)}.`,
    ko: `${what.ko}에는 ${platform}용 파일이 없습니다. ${served === '' ? '"platform"을 빼 주세요.' : `제공되는 플랫폼: ${served}`}`,
  };
};

type ReleaseSteps = Readonly<Record<'requested' | 'covered', readonly Release[]>>;

/** Names the first condition that no release meets, and a wider choice if that would help. */
const nothingToInstall = (
  { platform, release }: InstallSelection,
  channel: Channel,
  line: ReleaseLine,
  { requested, covered }: ReleaseSteps,
): Sentence => {
  if (release !== null && requested.length === 0) {
    return { en: `This product has no release ${release}.`, ko: `이 제품에는 릴리스 ${release}이(가) 없습니다.` };
  }
  if (requested.length === 0) {
    const nothing = { en: 'This product has nothing to install.', ko: '이 제품에는 설치할 파일이 없습니다.' };
    return widerChannel(line, channel) ?? nothing;
  }
  if (covered.length === 0) {
    return {
      en: `Every release of this product on channel ${channel} came out after your update window ended.`,
      ko: `${channel} 채널의 모든 버전이 업데이트 기간이 끝난 뒤에 출시되었습니다.`,
    };
  }
  const what =
    release === null
      ? { en: `What you can install on channel ${channel}`, ko: `${channel} 채널에서 설치할 수 있는 버전` }
      : { en: `Release ${release}`, ko: `릴리스 ${release}` };
  if (platform === null || covered.every(({ artifacts }) => artifacts.length === 0)) {
    return { en: `${what.en} has no file.`, ko: `${what.ko}에는 파일이 없습니다.` };
  }
  return noFileFor(platform, covered, line, what);
};

/**
 * Decides whether the update window (null: no end) covers a client's version. A known version is covered if one of its
 * releases is. An unknown version is covered up to the newest covered release. Null if the client sent no version or an
 * invalid one.
 */
export const isVersionCovered = (
  version: string | null,
  releases: readonly Release[],
  updatesUntil: Instant | null,
  order: VersionOrder,
): boolean | null => {
  const normal = version === null ? undefined : order.normalize(version);
  if (normal === undefined) return null;
  if (updatesUntil === null) return true;
  const known = releases.filter((release) => order.compare(release.version, normal) === 0);
  if (known.length > 0) return known.some((release) => isCovered(release, updatesUntil));
  const newest = releases.filter((release) => isCovered(release, updatesUntil)).sort(newestFirst(order))[0];
  return newest !== undefined && order.compare(normal, newest.version) <= 0;
};

/** True for the version of a release that is or was out. For any other version, the release date is unknown. */
export const isReleased = (
  version: string | null,
  releases: readonly Release[],
  order: VersionOrder,
  now: Instant,
): boolean => {
  const normal = version === null ? undefined : order.normalize(version);
  return releases.some(
    (one) => normal !== undefined && one.released_at <= now && order.compare(one.version, normal) === 0,
  );
};

export type OwnRelease = {
  /** The newest covered file for each platform, from the most stable channel that has one. Each file is listed once. */
  readonly files: readonly InstallChoice[];
  /** The newest of those files' releases, on the most stable channel; null if there are none. */
  readonly release: Release | null;
  /** The older covered releases, newest first, that the owner can go back to; at most 20. */
  readonly older: readonly Release[];
  /** The newest stable release, if it is newer than `release` and not covered. */
  readonly uncovered: Release | null;
};

/** The maximum number of older releases in a list. */
const OLDER_LISTED = 20;

/** The files that an owner should install, and the release that a longer update window would include. */
export const ownRelease = (line: ReleaseLine, updatesUntil: Instant | null): OwnRelease => {
  const covered = line.offered.filter((release) => isCovered(release, updatesUntil));
  const byChannel = CHANNELS.flatMap((channel) => covered.filter((release) => channelOffers(channel, release.channel)));
  const fileFor = (platform: Platform | null): InstallChoice[] => {
    for (const release of byChannel) {
      const artifact = artifactFor(release, platform, line.platforms);
      if (artifact) return [{ release, artifact }];
    }
    return [];
  };
  const chosen = line.listed.flatMap(fileFor);
  // A product may have only platforms that clients do not know; its files then serve all of them.
  const all = chosen.length === 0 ? fileFor(null) : chosen;
  const files = all.filter(({ artifact }, n) => all.findIndex((one) => one.artifact === artifact) === n);
  const release = byChannel.find((one) => files.some((file) => file.release === one)) ?? null;
  const current = currentRelease(line) ?? null;
  const isMissed =
    current !== null &&
    !isCovered(current, updatesUntil) &&
    (release === null || line.order.compare(current.version, release.version) > 0);
  const older = covered.filter(
    (one) =>
      release !== null &&
      channelOffers(release.channel, one.channel) &&
      one.artifacts.length > 0 &&
      !files.some((file) => file.release === one),
  );
  return { files, release, older: older.slice(0, OLDER_LISTED), uncovered: isMissed ? current : null };
};

export type FileChoice = {
  /** Null means the file for every platform, or the only one. */
  readonly platform: Platform | null;
  /** The build that a patch applies to, instead of the whole file. */
  readonly delta: string | null;
};

export const noSuchRelease = (): Refused<'not_found'> => refuse('not_found', { message: 'There is no such release.' });

/**
 * The release with an id, for a reader with this end of the update window (null: never). A release that is not out yet
 * is answered like one that does not exist.
 */
export const coveredRelease = (
  releases: readonly Release[],
  release_id: number,
  updatesUntil: Instant | null,
  now: Instant,
): Outcome<Release, 'not_found' | 'install_not_available' | 'version_update_window_expired'> => {
  const release = releases.find(({ id }) => id === release_id);
  if (!release || release.released_at > now) return noSuchRelease();
  if (release.withdrawn) return refuseWithdrawn(release);
  if (isCovered(release, updatesUntil)) return ok(release);
  return beyondWindow(release);
};

/** The file of a chosen release, given the platforms that the product runs on (`productPlatforms`). */
export const fileOf = (
  release: Release,
  { platform, delta }: FileChoice,
  platforms: readonly Platform[],
  among: readonly Release[],
): Outcome<Artifact | Delta, 'install_not_available' | 'validation_failed'> => {
  const { version, artifacts } = release;
  const artifact = fileFor(release, platform, among, { platforms });
  const file = delta === null ? artifact : artifact?.deltas?.find(({ from_build }) => from_build === delta);
  if (file) return ok(file);
  if (platform === null && artifact === undefined && artifacts.length > 0) {
    return namePlatform(PLATFORMS.filter((one) => artifacts.some((file) => file.platform === one)));
  }
  if (delta !== null) {
    return noInstall({
      en: `Version ${version} has no patch from build ${delta}; download the whole file.`,
      ko: `${version} 버전에는 빌드 ${delta}에서 올리는 패치가 없습니다. 전체 파일을 내려받아 주세요.`,
    });
  }
  return noInstall(
    platform === null
      ? { en: `Version ${version} has no file.`, ko: `${version} 버전에는 파일이 없습니다.` }
      : {
          en: `Version ${version} has no file for ${platform}.`,
          ko: `${version} 버전에는 ${platform}용 파일이 없습니다.`,
        },
  );
};
