import { compareText } from '../shared/compare-text.ts';

/** The days (UTC) up to today within which a device that is in use was seen. */
export const IN_USE_DAYS = 30;

/** The versions of a product that are shown, those of the most devices. */
const MOST_SHOWN = 50;

/** The number of devices with each version, the most used first, from the version of each device; null is none sent. */
export const versionsInUse = (seen: readonly (string | null)[]) => {
  const sorted = [...Map.groupBy(seen, (version) => version)]
    .map(([version, { length: devices }]) => ({ version, devices }))
    .sort((a, b) => b.devices - a.devices || compareText(b.version ?? '', a.version ?? ''));
  const versions = sorted.slice(0, MOST_SHOWN);
  /** The devices with versions that are not listed. */
  const others = versions.reduce((left, { devices }) => left - devices, seen.length);
  return { devices: seen.length, versions, others };
};
