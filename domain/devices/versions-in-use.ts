import { compareText } from '../shared/compare-text.ts';
import { dayOf, type Instant } from '../shared/instant.ts';

/** The days (UTC) up to today within which a device that is in use was seen. */
export const IN_USE_DAYS = 30;

/** The place at which a device is counted: the day on which it was last recorded as seen, and the version that it sent. */
export type CountedAs = { readonly day: string; readonly version: string | null };

/** The number of devices with a version; null stands for devices that send none. */
export type VersionCount = { readonly version: string | null; readonly devices: number };

/** The devices that were last seen on a day, by version. `others` have versions beyond the first hundred. */
export type SeenVersions = { readonly versions: readonly VersionCount[]; readonly others: number };

/** A client may send any text as its version, so a record counts only so many apart. */
const MOST_COUNTED = 100;

/** The versions of a product that are shown, those of the most devices. */
const MOST_SHOWN = 50;

export const countedAs = (now: Instant, version: string | null = null): CountedAs => ({ day: dayOf(now), version });

/** The counts with one device of a version more, or less. */
export const withDevice = ({ versions, others }: SeenVersions, version: string | null, by: 1 | -1): SeenVersions => {
  const before = versions.find((one) => one.version === version);
  if (!before && (by < 0 || versions.length >= MOST_COUNTED)) return { versions, others: Math.max(0, others + by) };
  const [devices, rest] = [(before?.devices ?? 0) + by, versions.filter((one) => one !== before)];
  return { versions: devices > 0 ? [...rest, { version, devices }] : rest, others };
};

/** All devices of several counts, and the versions of most of them, the most used first. */
export const versionsInUse = (counts: readonly SeenVersions[]) => {
  const sums = new Map<string | null, number>();
  for (const { version, devices } of counts.flatMap(({ versions }) => versions)) {
    sums.set(version, (sums.get(version) ?? 0) + devices);
  }
  const sorted = [...sums]
    .map(([version, devices]): VersionCount => ({ version, devices }))
    .sort((a, b) => b.devices - a.devices || compareText(b.version ?? '', a.version ?? ''));
  const total = (list: readonly VersionCount[]): number => list.reduce((sum, { devices }) => sum + devices, 0);
  const beyond = counts.reduce((sum, one) => sum + one.others, 0);
  return {
    devices: total(sorted) + beyond,
    versions: sorted.slice(0, MOST_SHOWN),
    /** The devices with versions that are not listed. */
    others: total(sorted.slice(MOST_SHOWN)) + beyond,
  };
};
