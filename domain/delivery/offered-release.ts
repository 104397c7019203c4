import { listedPlatforms, type Platform, productPlatforms } from '../catalog/platform.ts';
import type { Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, type Refused, refuse } from '../shared/outcome.ts';
import { CHANNELS, type Channel, channelOffers } from './channel.ts';
import { type Artifact, artifactFor, type Delta, isCovered, isOffered, type Release } from './release.ts';
import { newestFirst, type VersionOrder } from './version-order.ts';

/*
 * The offer to a client: the releases that are out, the newest one of its channel, its update, and its install. A
 * channel offers its own releases and every more stable one (`channel.ts`).
 */

/**
 * The releases of one product as clients see them at one moment. Whatever is offered to a client is chosen from here,
 * so that nothing offers a withdrawn release or one that is not out yet.
 */
export type ReleaseLine = {
  /** Newest first. */
  readonly offered: readonly Release[];
  /** The releases that were out and were taken back. */
  readonly withdrawn: readonly Release[];
  /** The platforms that the product runs on. */
  readonly platforms: readonly Platform[];
  /** The platforms that lists and messages name (`listedPlatforms`), whether or not the product runs on them. */
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

export const withdrawnMessage = ({ version, withdrawn }: Release): string => {
  const reason = withdrawn?.reason ?? 'no reason is known';
  return `Version ${version} was withdrawn: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`;
};

/**
 * The newest release that a channel offers; the newest with a file for a platform, where one is named. The newest
 * stable release is the "current" one wherever no channel is asked for.
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

/** The newest version that is offered on each channel alone; null where there is none. */
export const newestByChannel = ({ offered }: ReleaseLine): Readonly<Record<Channel, string | null>> => {
  const newest = (channel: Channel) => offered.find((release) => release.channel === channel)?.version ?? null;
  return { stable: newest('stable'), beta: newest('beta'), alpha: newest('alpha'), dev: newest('dev') };
};

/**
 * The file of the bundle endpoint: the current release's platform-neutral artifact, or its only one. A current release
 * outside the update window is refused and not replaced by an older one, as specified; the install plan offers
 * the versions that the buyer may still install.
 */
export const currentBundle = (
  line: ReleaseLine,
  updatesUntil: Instant | null,
): Outcome<InstallChoice, InstallRefusal> => {
  const release = currentRelease(line);
  if (release && !isCovered(release, updatesUntil)) {
    return refuse('version_update_window_expired', {
      message: `Version ${release.version} came out after your update window ended; renew it, or install an earlier version by an install plan.`,
    });
  }
  const artifact = release && artifactFor(release, null, line.platforms);
  if (!release || !artifact) {
    return refuse('install_not_available', {
      message: release
        ? 'This product has a file for each platform; ask for an install plan that names yours.'
        : 'This product has no released file.',
    });
  }
  return ok({ release, artifact });
};

/** True where the current release is newer than the client's version. A missing version is older than every release. */
export const updateAvailable = (current: Release, clientVersion: string | null, order: VersionOrder): boolean =>
  clientVersion === null || order.compare(current.version, clientVersion) > 0;

/** The channel and the platform of a client that asks for updates. Null: the client does not name a platform. */
export type UpdateWish = { readonly channel: Channel; readonly platform: Platform | null };

export type UpdateOffer = {
  /** The newest release of the channel; with a platform, the newest that has a file for it. */
  readonly current: Release;
  /** The file of the current release; null where each platform has its own and the client named none. */
  readonly artifact: Artifact | null;
  /** True where the client may download that file: there is one, and the update window covers it. */
  readonly allowed: boolean;
  /**
   * The release that an install plan gives where the window does not cover the current one; null where it covers it.
   */
  readonly covered: InstallChoice | null;
};

const noUpdate = (line: ReleaseLine, channel: Channel, platform: Platform | null): string => {
  const released = line.offered.filter((release) => channelOffers(channel, release.channel));
  return released.length > 0
    ? `No release of this product on channel ${channel} has a file for ${platform}; ${platformsThereAre(released, line)}.`
    : (widerChannel(line, channel) ?? 'This product has no release yet.');
};

/** The update of a product for a client, whether or not the client has it already. */
export const offerUpdate = (
  line: ReleaseLine,
  updatesUntil: Instant | null,
  { channel, platform }: UpdateWish,
): Outcome<UpdateOffer, 'not_found'> => {
  const current = currentRelease(line, channel, platform);
  if (!current) return refuse('not_found', { message: noUpdate(line, channel, platform) });
  const artifact = artifactFor(current, platform, line.platforms) ?? null;
  const isWithin = isCovered(current, updatesUntil);
  const plan = isWithin ? null : chooseInstall(line, updatesUntil, { channel, platform, release: null });
  return ok({
    current,
    artifact,
    allowed: isWithin && artifact !== null,
    covered: plan?.ok ? plan.value : null,
  });
};

export type InstallWish = {
  readonly channel: Channel;
  readonly platform: Platform | null;
  /** The id of one release; null takes the newest of the channel. */
  readonly release: number | null;
};

export type InstallChoice = { readonly release: Release; readonly artifact: Artifact };

export type InstallRefusal = 'install_not_available' | 'version_update_window_expired';

/**
 * Chooses the newest release that the channel offers, that lies within the update window and that has an artifact for
 * the platform. A release named by id is taken whatever its channel, but it is refused outside the window, and once it
 * was withdrawn.
 */
export const chooseInstall = (
  line: ReleaseLine,
  updatesUntil: Instant | null,
  wish: InstallWish,
): Outcome<InstallChoice, InstallRefusal> => {
  const withdrawn = line.withdrawn.find(({ id }) => id === wish.release);
  if (withdrawn) return refuse('install_not_available', { message: withdrawnMessage(withdrawn) });
  const named = line.offered.find(({ id }) => id === wish.release);
  if (named && !isCovered(named, updatesUntil)) {
    return refuse('version_update_window_expired', {
      message: `Version ${named.version} came out after your update window ended; renew it or install an earlier one.`,
    });
  }
  const asked =
    wish.release === null ? line.offered.filter((r) => channelOffers(wish.channel, r.channel)) : named ? [named] : [];
  const covered = asked.filter((r) => isCovered(r, updatesUntil));
  for (const release of covered) {
    const artifact = artifactFor(release, wish.platform, line.platforms);
    if (artifact) return ok({ release, artifact });
  }
  return refuse('install_not_available', { message: nothingToInstall(wish, line, { asked, covered }) });
};

/** The sentence that tells a client which channel to ask for, where its own has no release; null where none has any. */
export const widerChannel = ({ offered }: ReleaseLine, channel: Channel): string | null => {
  const wider = CHANNELS.find((one) => offered.some((release) => channelOffers(one, release.channel)));
  return wider === undefined ? null : `This product has no release on channel ${channel}; ask for channel ${wider}.`;
};

/** The end of a sentence about a missing file: the platforms that some release has a file for. */
export const platformsThereAre = (releases: readonly Release[], { platforms, listed }: ReleaseLine): string => {
  const served = listed.filter((one) => releases.some((release) => artifactFor(release, one, platforms)));
  return served.length === 0 ? 'leave out "platform"' : `there are files for ${served.join(', ')}`;
};

type ReleaseSteps = Readonly<Record<'asked' | 'covered', readonly Release[]>>;

/** Names the first step that left no release, and a wider wish where that would help. */
const nothingToInstall = (
  { channel, platform, release }: InstallWish,
  line: ReleaseLine,
  { asked, covered }: ReleaseSteps,
): string => {
  const hasFiles = covered.some(({ artifacts }) => artifacts.length > 0);
  if (release !== null && asked.length === 0) return `This product has no release ${release}.`;
  if (asked.length === 0) return widerChannel(line, channel) ?? 'This product has nothing to install.';
  if (covered.length === 0) {
    return `Every release of this product on channel ${channel} came out after your update window ended.`;
  }
  const what = release === null ? `What you can install on channel ${channel}` : `Release ${release}`;
  if (!hasFiles) return `${what} has no file.`;
  const there = platformsThereAre(covered, line);
  return platform === null
    ? `${what} has a file for each platform; name yours by "platform": ${there}.`
    : `${what} has no file for ${platform}; ${there}.`;
};

/**
 * Decides whether the update window (null: without end) covers a client's version. A version that the store knows is
 * covered where one of its releases is. An unknown version is covered up to the newest covered release. The answer is
 * null where the client named no version or an invalid one.
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

export type OwnRelease = {
  /** The newest covered file of each platform, of the most stable channel that has one. A file is listed once. */
  readonly files: readonly InstallChoice[];
  /** The newest release of those files, of the most stable channel; null where there are none. */
  readonly release: Release | null;
  /** The covered releases behind those files, newest first, which the owner may go back to; at most 20. */
  readonly older: readonly Release[];
  /** The newest stable release, where it is newer than that and not covered. */
  readonly uncovered: Release | null;
};

/** The most older releases in a list. */
const OLDER_LISTED = 20;

/** The files that an owner should install, and the release that a longer update window would bring. */
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
  // A product may name only platforms that clients can't, and its files are for all of them.
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
  /** Null: the file for every platform, or the only one. */
  readonly platform: Platform | null;
  /** The build that a patch is for, instead of the whole file. */
  readonly delta: string | null;
};

export const noSuchRelease = (): Refused<'not_found'> => refuse('not_found', { message: 'There is no such release.' });

/**
 * The release with an id, for a reader who may have the releases up to a moment; null is no end. A release whose moment
 * is to come answers as one that does not exist.
 */
export const coveredRelease = (
  releases: readonly Release[],
  releaseId: number,
  updatesUntil: Instant | null,
  now: Instant,
): Outcome<Release, 'not_found' | 'install_not_available' | 'version_update_window_expired'> => {
  const release = releases.find(({ id }) => id === releaseId);
  if (!release || release.released_at > now) return noSuchRelease();
  if (release.withdrawn) return refuse('install_not_available', { message: withdrawnMessage(release) });
  if (isCovered(release, updatesUntil)) return ok(release);
  return refuse('version_update_window_expired', {
    message: `Version ${release.version} came out after your update window ended; renew it or download an earlier one.`,
  });
};

/** The file of a release that was chosen, for a product that runs on some platforms (`productPlatforms`). */
export const fileOf = (
  release: Release,
  { platform, delta }: FileChoice,
  runsOn: readonly Platform[],
): Outcome<Artifact | Delta, 'install_not_available'> => {
  const artifact = artifactFor(release, platform, runsOn);
  const file = delta === null ? artifact : artifact?.deltas?.find(({ from_build }) => from_build === delta);
  if (file) return ok(file);
  return refuse('install_not_available', {
    message:
      delta !== null
        ? `Version ${release.version} has no patch from build ${delta}; download the whole file.`
        : platform === null
          ? `Version ${release.version} has a file for each platform; name yours by "platform".`
          : `Version ${release.version} has no file for ${platform}.`,
  });
};
