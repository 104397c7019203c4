import { ADDED_PLATFORMS, PLATFORMS } from '../catalog/platform.ts';
import { type Instant, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';
import { textOrNull } from '../shared/locale.ts';
import { CHANNELS, channelOffers } from './channel.ts';
import type { Release } from './release.ts';
import { newestFirst, type VersionOrder } from './version-order.ts';

/** The clocks of two machines differ by less, so that a release of this hour counts as one that is not out yet. */
const APART_MS = 60 * MINUTE_MS;

/** The release without what no supply reads: notes beyond their first letter, patches and terms. */
const trimmed = ({ sparkle: _, notes_en, notes_ko, artifacts, ...release }: Release): Release => ({
  ...release,
  source_ref: null,
  notes_en: textOrNull(notes_en)?.trim().slice(0, 1) ?? null,
  notes_ko: textOrNull(notes_ko)?.trim().slice(0, 1) ?? null,
  artifacts: artifacts.map(
    ({ deltas: __, signed_by: ___, sums: ____, updater_signature: _____, ...artifact }) => artifact,
  ),
});

/**
 * The releases that a channel can choose of `offered`: the newest one, the newest for each platform, and the latest. A
 * file for an added platform also lists that platform, whether or not it is chosen.
 */
const chosen = (offered: readonly Release[], order: VersionOrder): (Release | undefined)[] => {
  const sorted = offered.toSorted(newestFirst(order));
  const serving = (platform: string | null): Release | undefined =>
    sorted.find(({ artifacts }) => artifacts.some((one) => one.platform === null || one.platform === platform));
  const listing = (platform: string): Release | undefined =>
    sorted.find(({ artifacts }) => artifacts.some((one) => one.platform === platform));
  const latest = sorted.toSorted((a, b) =>
    a.released_at < b.released_at ? 1 : a.released_at > b.released_at ? -1 : 0,
  )[0];
  return [sorted[0], serving(null), ...PLATFORMS.map(serving), ...ADDED_PLATFORMS.map(listing), latest];
};

/**
 * The releases of one product that its supply can show from `now` on, until one of its releases changes. `supplyOf`
 * comes to the same result with these as with all: those that a channel chooses now, and those that come out later.
 * `orders` has the order of each scheme that the versions may follow.
 */
export const supplyReleases = (
  releases: readonly Release[],
  now: Instant,
  orders: readonly VersionOrder[],
): Release[] => {
  const standing = releases.filter(({ withdrawn }) => withdrawn === undefined);
  const settled = toInstant(millis(now) - APART_MS);
  const out = standing.filter(({ released_at }) => released_at <= settled);
  const fitting = orders.filter((order) => out.every(({ version }) => order.normalize(version) !== undefined));
  if (fitting.length === 0) return standing.map(trimmed);
  const kept = new Set<Release | undefined>(standing.filter(({ released_at }) => released_at > settled));
  for (const order of fitting) {
    for (const channel of CHANNELS) {
      for (const one of chosen(
        out.filter((release) => channelOffers(channel, release.channel)),
        order,
      ))
        kept.add(one);
    }
  }
  return standing.filter((release) => kept.has(release)).map(trimmed);
};
