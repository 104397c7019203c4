import { type Mean, REQUESTS_A_DAY } from './device-day.ts';
import { together } from './dollars.ts';
import type { Footprint } from './footprint.ts';
import { prices } from './prices.ts';
import { type Need, QUOTAS } from './quotas.ts';

const DAY_SECONDS = 86_400;
const MONTH_SECONDS = 730 * 3600;
const GIGABYTE = 1e9;

/** The busiest second of a day over its average, as assumed: a shop in one part of the world sleeps at night. */
export const PEAK = 4;

/** The needs of a load of requests a second. */
export type Load = {
  readonly perSecond: number;
  readonly need: Need;
  /** Dollars of a month in which the load never rests. */
  readonly dollarsMonth: number;
  /** The load as a part of each of AWS's first limits, the largest part at the front: there the load meets its end. */
  readonly parts: readonly { readonly name: keyof Need; readonly part: number }[];
};

/** The instances that are busy at once: requests a second times the seconds of each (Little’s law). */
const instances = (perSecond: number, { ms }: Mean): number => (perSecond * ms) / 1000;

export const loadOf = (perSecond: number, mean: Mean): Load => {
  const need: Need = {
    gateway: perSecond,
    lambda: instances(perSecond, mean),
    reads: perSecond * mean.readUnits,
    writes: perSecond * mean.writeUnits,
  };
  const parts = (Object.keys(QUOTAS) as (keyof Need)[])
    .map((name) => ({ name, part: need[name] / QUOTAS[name].first }))
    .sort((a, b) => b.part - a.part);
  const dollarsMonth = ((perSecond * MONTH_SECONDS) / 1e6) * together(mean.dollarsPerMillion);
  return { perSecond, need, parts, dollarsMonth };
};

/** The needs of a number of devices, each used daily. */
export type Fleet = {
  readonly devices: number;
  readonly meanPerSecond: number;
  readonly peakPerSecond: number;
  readonly items: number;
  readonly gigabytes: number;
  readonly requestsMonth: number;
  readonly storageMonth: number;
  readonly peak: Load;
};

export const fleetOf = (devices: number, mean: Mean, footprint: Footprint): Fleet => {
  const meanPerSecond = (devices * REQUESTS_A_DAY) / DAY_SECONDS;
  const gigabytes = (devices * footprint.bytes) / GIGABYTE;
  const { gigabyte_month, point_in_time_gigabyte_month } = prices.dynamodb;
  const peakPerSecond = meanPerSecond * PEAK;
  return {
    devices,
    meanPerSecond,
    peakPerSecond,
    items: devices * footprint.items,
    gigabytes,
    requestsMonth: loadOf(meanPerSecond, mean).dollarsMonth,
    storageMonth: gigabytes * (gigabyte_month + point_in_time_gigabyte_month),
    peak: loadOf(peakPerSecond, mean),
  };
};
