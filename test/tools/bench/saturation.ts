import type { Checks, LoadClient } from './clients.ts';
import { median, quantile, sortedSamples, warm } from './statistics.ts';

/** A server under test, with the client's requests to it. */
export type Target = { readonly name: string; readonly checks: Checks };

/** The number of connections that saturate a server. */
export const CONNECTIONS = 64;
const COUNT = 10_000;
const SATURATED_ROUNDS = 3;

export type Saturated = {
  readonly perSecond: number;
  /** The client's CPU time per request in microseconds. */
  readonly clientMicros: number;
  /** The sorted durations of the requests in milliseconds. */
  readonly millis: Float64Array;
};

/** Warms each target, and measures its maximum requests per second; the targets take turns. */
export const saturate = async (
  client: LoadClient,
  targets: readonly Target[],
  rounds = SATURATED_ROUNDS,
): Promise<Map<string, Saturated>> => {
  const closed = ({ checks }: Target, count: number) => client.closed({ ...checks, count, connections: CONNECTIONS });
  for (const target of targets) await warm(async () => (await closed(target, COUNT)).seconds);
  const all = new Map(targets.map(({ name }) => [name, [] as Awaited<ReturnType<typeof closed>>[]]));
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) all.get(target.name)?.push(await closed(target, COUNT));
  }
  return new Map(
    [...all].map(([name, readings]) => [
      name,
      {
        perSecond: median(readings.map(({ requests, seconds }) => requests / seconds)),
        clientMicros: median(readings.map(({ requests, clientMicros }) => clientMicros / requests)),
        millis: sortedSamples(readings.map(({ millis }) => millis)),
      },
    ]),
  );
};

export type Steady = {
  readonly rate: number;
  /** The sorted durations of the requests in milliseconds. */
  readonly millis: Float64Array;
  /** The client's maximum delay in milliseconds. */
  readonly latest: number;
};

const STEADY_ROUNDS = 3;
const SECONDS = 2;

/** Loads each target at its own fixed rate; the targets take turns. */
export const loadSteadily = async (
  client: LoadClient,
  targets: readonly (Target & { readonly rate: number })[],
): Promise<Map<string, Steady>> => {
  const all = new Map(targets.map(({ name }) => [name, [] as Awaited<ReturnType<LoadClient['open']>>[]]));
  for (let round = 0; round < STEADY_ROUNDS; round++) {
    for (const { name, checks, rate } of targets) {
      all.get(name)?.push(await client.open({ ...checks, rate, seconds: SECONDS }));
    }
  }
  return new Map(
    targets.map(({ name, rate }) => {
      const readings = all.get(name) ?? [];
      return [
        name,
        {
          rate,
          millis: sortedSamples(readings.map(({ millis }) => millis)),
          latest: Math.max(...readings.map(({ latest }) => latest)),
        },
      ];
    }),
  );
};

export const PERCENTILES = ['p50', 'p90', 'p99', 'p99.9'] as const;

/** The percentiles of sorted milliseconds, for a row of a table. */
export const percentiles = (millis: Float64Array): number[] =>
  [0.5, 0.9, 0.99, 0.999].map((share) => Math.round(quantile(millis, share) * 100) / 100);
