import type { AppcastItem } from '../../domain/delivery/appcast.ts';
import { sparkleOrder } from '../../domain/delivery/version-order.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { millis } from '../../domain/shared/instant.ts';

/**
 * The rules by which Sparkle 2 chooses from an appcast (SUAppcastDriver, SPUAppcastItemStateResolver), for comparing a
 * feed with its effect on clients. They are Sparkle's, including odd cases, and must not be changed here.
 */
const { compare } = sparkleOrder();

/** The groups of a phased rollout. */
export const PHASED_GROUPS = 7;

/** There are no Intel Macs from this system on, so an item that needs it needs Apple silicon. */
const FIRST_WITHOUT_INTEL = '27.0';

/** The updates that a user chose to skip. */
export type Skipped = {
  readonly minor_version: string | null;
  readonly major_version: string | null;
  readonly major_subrelease_version: string | null;
};

/** An installed application that checks for updates. */
export type SparkleClient = {
  /** Its `CFBundleVersion`. */
  readonly version: string;
  readonly system_version: string;
  readonly architecture: 'arm64' | 'x86_64';
  /** The channels that it may use in addition to the default one (`allowedChannels(for:)`). */
  readonly channels: readonly string[];
  /** An automatic check respects rollout groups and skipped updates; null means that the user asked. */
  readonly background: { readonly group: number; readonly skipped: Skipped | null } | null;
  readonly now: Instant;
};

/** The state of an item for one client. */
export type ItemState = {
  readonly critical: boolean;
  readonly informational: boolean;
  /** Never installed without asking. */
  readonly major_upgrade: boolean;
  /** False if the system or the processor can't run it. */
  readonly fits: boolean;
};

export type Offer = ItemState & {
  readonly item: AppcastItem;
  /** The patch from the client's build, if there is one. */
  readonly delta: AppcastItem['deltas'][number] | null;
};

const needsArm64 = ({ requires_arm64, minimum_system_version }: AppcastItem): boolean =>
  requires_arm64 || (minimum_system_version !== null && compare(minimum_system_version, FIRST_WITHOUT_INTEL) >= 0);

const fits = (item: AppcastItem, { system_version, architecture }: SparkleClient): boolean =>
  (item.minimum_system_version === null || compare(item.minimum_system_version, system_version) <= 0) &&
  (item.maximum_system_version === null || compare(item.maximum_system_version, system_version) >= 0) &&
  (architecture === 'arm64' || !needsArm64(item));

/** True for an update that is only a page to visit. Named builds are compared as strings. */
const isInformational = ({ informational, link }: AppcastItem, host: string): boolean => {
  if (informational === null || link === null) return false;
  const { versions, below_version } = informational;
  if (versions.length === 0 && below_version === null) return true;
  return versions.includes(host) || (below_version !== null && compare(host, below_version) < 0);
};

export const stateFor = (item: AppcastItem, client: SparkleClient): ItemState => {
  const { critical, minimum_autoupdate_version: oldest } = item;
  return {
    critical:
      critical !== null && (critical.below_version === null || compare(client.version, critical.below_version) < 0),
    informational: isInformational(item, client.version),
    major_upgrade: oldest !== null && compare(client.version, oldest) < 0,
    fits: fits(item, client),
  };
};

const isRolledOut = (item: AppcastItem, { background, now }: SparkleClient, critical: boolean): boolean => {
  if (background === null || critical || item.phased_rollout_interval === null) return true;
  const seconds = (millis(now) - millis(item.published_at)) / 1000;
  return seconds >= item.phased_rollout_interval * background.group;
};

const isSkipped = (item: AppcastItem, { version, background }: SparkleClient): boolean => {
  const skipped = background?.skipped;
  if (!skipped) return false;
  const { minor_version, major_version, major_subrelease_version } = skipped;
  const { minimum_autoupdate_version: oldest, ignore_skipped_upgrades_below_version: asksAgainBelow } = item;
  if (
    major_version !== null &&
    oldest !== null &&
    compare(version, major_version) < 0 &&
    compare(major_version, oldest) >= 0 &&
    (asksAgainBelow === null ||
      (major_subrelease_version !== null && compare(major_subrelease_version, asksAgainBelow) >= 0))
  ) {
    return true;
  }
  return minor_version !== null && compare(minor_version, item.version) >= 0;
};

/** The highest version; of equal ones the first. */
const best = (items: readonly AppcastItem[]): AppcastItem | undefined =>
  items.reduce<AppcastItem | undefined>(
    (chosen, item) => (chosen === undefined || compare(chosen.version, item.version) < 0 ? item : chosen),
    undefined,
  );

/** The items for a client: of its channels, for its system, rolled out to its group and not skipped. */
export const itemsFor = (items: readonly AppcastItem[], client: SparkleClient): readonly AppcastItem[] =>
  items.filter((item) => {
    const { critical, fits: runs } = stateFor(item, client);
    const listens = item.channel === null || client.channels.includes(item.channel);
    return listens && runs && isRolledOut(item, client, critical) && !isSkipped(item, client);
  });

/**
 * The update that Sparkle offers the client; null if there is none. Updates that install themselves come before a major
 * upgrade, so the last minor release is offered first.
 */
export const offerTo = (items: readonly AppcastItem[], client: SparkleClient): Offer | null => {
  const isNewer = (item: AppcastItem | undefined): item is AppcastItem =>
    item !== undefined && compare(client.version, item.version) < 0;
  const supported = itemsFor(items, client);
  const minor = best(supported.filter((item) => !stateFor(item, client).major_upgrade));
  const item = isNewer(minor) ? minor : best(supported);
  if (!isNewer(item)) return null;
  const delta = item.deltas.find(({ from_build }) => from_build === client.version) ?? null;
  return { item, delta, ...stateFor(item, client) };
};
