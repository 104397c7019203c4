import { measureRush, type Rush } from './activations.ts';
import { measureFleet } from './fleet-reads.ts';
import { type Measurements, write } from './page.ts';

const FLEETS = [10, 1000, 50_000];

const SIZES: readonly Omit<Rush, 'limit'>[] = [
  { devices: 1, processes: 1, ms: 0 },
  { devices: 10, processes: 10, ms: 0 },
  { devices: 100, processes: 100, ms: 0 },
  { devices: 100, processes: 4, ms: 0 },
  { devices: 1000, processes: 100, ms: 1000 },
];

/** A limit that none of the rushes reaches. */
const LIMIT = 1000;

/** Measures docs/many-devices.md and writes it. */
export const writeDevicesPage = async (): Promise<Measurements> => {
  // The first rush of a process loads and compiles its code.
  await measureRush({ devices: 100, processes: 10, ms: 0, limit: null });
  const rushes = [];
  for (const limit of [LIMIT, null]) for (const size of SIZES) rushes.push(await measureRush({ ...size, limit }));
  const reads = [];
  for (const devices of FLEETS) reads.push(await measureFleet(devices));
  const measurements = { rushes, reads };
  await write(measurements);
  return measurements;
};
