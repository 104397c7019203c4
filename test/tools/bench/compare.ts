import type { ChildServer } from './child.ts';
import type { Shot } from './connection.ts';
import { closedLoop } from './load.ts';
import { median } from './statistics.ts';

/** A server and the requests that it gets. */
export type Side = { readonly server: ChildServer; readonly shot: (n: number) => Shot };

const ROUNDS = 9;

/**
 * The requests of each side before a measurement. V8 goes on compiling for the first 27,000 of bare Express, whose CPU
 * time of a request falls to a quarter until then and stays. The service is steady earlier.
 */
const WARM_UP = 30_000;

type Round = { readonly micros: number; readonly clientMicros: number; readonly busy: number };

const measure = async ({ server, shot }: Side, from: number, count: number): Promise<Round> => {
  const before = await server.read();
  const { seconds, clientMicros } = await closedLoop(server.port, count, (n) => shot(from + n));
  const micros = (await server.read()).cpuMicros - before.cpuMicros;
  return { micros: micros / count, clientMicros: clientMicros / count, busy: micros / seconds / 1e6 };
};

export type Comparison = {
  /** CPU microseconds of the servers for each request. */
  readonly ours: number;
  readonly bare: number;
  readonly ratio: number;
  /** CPU microseconds of the client for each request, the greater of the two sides. */
  readonly client: number;
  /** The part of a core that the servers used, the lesser of the two sides. */
  readonly busy: number;
};

/**
 * Warms two servers alike, and compares their CPU time of a request in turns of `count` requests. A side's requests are
 * numbered on over all of its turns.
 */
export const compare = async (ours: Side, bare: Side, count: number, warmUp = WARM_UP): Promise<Comparison> => {
  await measure(bare, 0, warmUp);
  await measure(ours, 0, warmUp);
  const readings: { ours: Round; bare: Round }[] = [];
  for (let from = warmUp; from < warmUp + ROUNDS * count; from += count) {
    readings.push({ bare: await measure(bare, from, count), ours: await measure(ours, from, count) });
  }
  const of = (side: 'ours' | 'bare', name: keyof Round): number => median(readings.map((one) => one[side][name]));
  return {
    ours: of('ours', 'micros'),
    bare: of('bare', 'micros'),
    ratio: median(readings.map((one) => one.ours.micros / one.bare.micros)),
    client: Math.max(of('ours', 'clientMicros'), of('bare', 'clientMicros')),
    busy: Math.min(of('ours', 'busy'), of('bare', 'busy')),
  };
};
