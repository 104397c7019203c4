import { nameOf } from './cases.ts';
import { type Dollars, dollarsPerMillion } from './dollars.ts';
import type { Cost } from './measure.ts';
import { prices } from './prices.ts';

/**
 * The requests of a device in a day, by the names of the measured cases. A program starts three times, looks for an
 * update and the policy once, and reports its use; a release a month is installed.
 */
export const DEVICE_DAY: Readonly<Record<string, number>> = {
  'checkLicense, the first of the day': 1,
  checkLicense: 2,
  getUpdate: 1,
  getClientConfig: 1,
  uploadUsage: 1,
  planInstall: 1 / 30,
  recordInstall: 1 / 30,
};

/** The needs of one request, on the average of a mix. */
export type Mean = {
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Milliseconds for which an instance is busy. */
  readonly ms: number;
  readonly dollarsPerMillion: Dollars;
};

const requests = Object.values(DEVICE_DAY).reduce((sum, count) => sum + count, 0);

/** The number of requests of a device in a day. */
export const REQUESTS_A_DAY = requests;

/** The average request of a device's day, from the measured costs. Throws where a case of the day was not measured. */
export const meanOf = (costs: readonly Cost[]): Mean => {
  const weighed = Object.entries(DEVICE_DAY).map(([name, count]) => {
    const cost = costs.find((one) => nameOf(one) === name);
    if (!cost) throw new Error(`${name} was not measured.`);
    return { cost, weight: count / requests };
  });
  const mean = (value: (cost: Cost) => number): number =>
    weighed.reduce((sum, { cost, weight }) => sum + weight * value(cost), 0);
  const part = (name: keyof Dollars): number => mean((cost) => dollarsPerMillion(cost)[name]);
  return {
    readUnits: mean(({ readUnits }) => readUnits),
    writeUnits: mean(({ writeUnits }) => writeUnits),
    ms: mean(({ rounds }) => prices.assumed.own_ms + rounds * prices.assumed.round_trip_ms),
    dollarsPerMillion: {
      dynamodb: part('dynamodb'),
      lambda: part('lambda'),
      gateway: part('gateway'),
      logs: part('logs'),
      transfer: part('transfer'),
    },
  };
};
