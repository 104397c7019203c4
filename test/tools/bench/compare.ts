import type { ChildServer } from './child.ts';
import type { Shot } from './connection.ts';
import { closedLoop } from './load.ts';
import { median, warm } from './statistics.ts';

/** A server and the requests to it. */
export type Side = { readonly server: ChildServer; readonly shot: (n: number) => Shot };

const ROUNDS = 9;

type Round = { readonly micros: number; readonly clientMicros: number; readonly busy: number };

const measure = async ({ server, shot }: Side, from: number, count: number): Promise<Round> => {
  const before = await server.read();
  const { seconds, clientMicros } = await closedLoop(server.port, count, (n) => shot(from + n));
  const micros = (await server.read()).cpuMicros - before.cpuMicros;
  return { micros: micros / count, clientMicros: clientMicros / count, busy: micros / seconds / 1e6 };
};

export type Comparison = {
  /** The server's CPU time per request in microseconds. */
  readonly ours: number;
  readonly bare: number;
  readonly ratio: number;
  /** The client's CPU time per request in microseconds, the greater of the two sides. */
  readonly client: number;
  /** The fraction of a core that the servers used, the lesser of the two sides. */
  readonly busy: number;
};

/**
 * Warms two servers until the CPU time of a request is stable, and compares it in turns of `count` requests. Each side
 * numbers its requests across all of its turns.
 */
export const compare = async (ours: Side, bare: Side, count: number): Promise<Comparison> => {
  const turnsOf = (side: Side): (() => Promise<Round>) => {
    let from = 0;
    return () => measure(side, (from += count) - count, count);
  };
  const [turnOfOurs, turnOfBare] = [turnsOf(ours), turnsOf(bare)];
  for (const turn of [turnOfBare, turnOfOurs]) await warm(async () => (await turn()).micros);
  const readings: { ours: Round; bare: Round }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    readings.push({ bare: await turnOfBare(), ours: await turnOfOurs() });
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
