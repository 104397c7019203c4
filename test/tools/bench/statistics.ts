export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};

/** The least value that at least this share of all values does not exceed (nearest rank). */
export const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;

/** Combines the samples of several rounds, sorted. */
export const sortedSamples = (rounds: readonly Float64Array[]): Float64Array =>
  Float64Array.from(rounds.flatMap((round) => [...round])).sort();

/** The number of consecutive readings that must bring no new low. */
const STILL = 5;

/** True once a figure no longer falls: none of its last five readings is 2 % below the previous minimum. */
export const standsStill = (readings: readonly number[]): boolean =>
  readings.length > STILL && Math.min(...readings.slice(-STILL)) > 0.98 * Math.min(...readings.slice(0, -STILL));

/** The maximum time for a figure to become stable, in milliseconds. */
const MOST_WARM_MS = 120_000;

/** Reads a figure until it is stable. It falls while V8 still compiles. */
export const warm = async (read: () => Promise<number>): Promise<void> => {
  const readings: number[] = [];
  const until = performance.now() + MOST_WARM_MS;
  while (!standsStill(readings) && performance.now() < until) readings.push(await read());
  if (!standsStill(readings)) process.stderr.write('  a figure did not come to a stand in two minutes\n');
};

export type Compared = { readonly ours: number; readonly bare: number; readonly ratio: number };

/** Returns the medians of several rounds. Both sides take turns, so that a slow moment of the machine affects both. */
export const takeTurns = async (
  rounds: number,
  ours: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<Compared> => {
  const readings: { ours: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round++) readings.push({ bare: await bare(), ours: await ours() });
  return {
    ours: median(readings.map((one) => one.ours)),
    bare: median(readings.map((one) => one.bare)),
    ratio: median(readings.map((one) => one.ours / one.bare)),
  };
};
