import { join } from 'node:path';
import { chartByOwner, tableByOwner } from '../by-owner.ts';
import type { Child, ChildServer } from '../child.ts';
import type { ByOwner } from '../inspection.ts';
import { closedLoop } from '../load.ts';
import { part } from '../part.ts';
import { AGAIN, IN_MEMORY, licenseShot, onSqlite, startBare, startService } from '../service.ts';
import { startEvents } from './function-cpu.ts';

const TIME = 'CPU µs of a license check by owner';
const ALLOCATION = 'bytes allocated for a license check by owner';
const WARM_UP = 20_000;
const MEASURED = 6000;
const PROFILED = 10_000;
const SAMPLED = 4000;

type Profiled = { readonly time: ByOwner; readonly bytes: ByOwner };

const scaled = (sums: ByOwner, to: (sum: number) => number): ByOwner =>
  Object.fromEntries(Object.entries(sums).map(([owner, sum]) => [owner, to(sum)]));

/** Shares the CPU time of a request out among the owners, by their self time in the profile. */
const shared = (profile: ByOwner, micros: number): ByOwner => {
  const { idle: _idle, ...busy } = profile;
  const all = Object.values(busy).reduce((sum, one) => sum + one, 0);
  return scaled(busy, (sum) => (sum / all) * micros);
};

/** Profiles a process that makes so many checks when it is told to, and returns its CPU microseconds. */
const profile = async (child: Child, run: (count: number) => Promise<unknown>): Promise<Profiled> => {
  await run(WARM_UP);
  const before = (await child.read()).cpuMicros;
  await run(MEASURED);
  const micros = ((await child.read()).cpuMicros - before) / MEASURED;
  await child.ask('startProfile');
  await run(PROFILED);
  const time = shared(await child.ask<ByOwner>('stopProfile'), micros);
  await child.ask('startHeap');
  await run(SAMPLED);
  const bytes = scaled(await child.ask<ByOwner>('stopHeap'), (sum) => sum / SAMPLED);
  child.stop();
  return { time, bytes };
};

const profileServer = (server: ChildServer, key: string): Promise<Profiled> =>
  profile(server, (count) => closedLoop(server.port, count, licenseShot(key, AGAIN)));

const profileEvents = async (mount: 'function' | 'fetch'): Promise<Profiled> => {
  const worker = await startEvents(mount);
  return profile(worker, (count) => worker.ask('run', count));
};

export const PROFILE = part({
  title: 'Where the CPU time of a license check goes',
  text:
    'Self time in a CPU profile of the loaded process, summed by the folder of our sources, the package, or the group of ' +
    'Node’s modules that a function belongs to, and scaled to the CPU time of a request without the profiler. A built-in ' +
    'of V8 counts for its caller. The allocations are those of a sampling heap profile. A function and the fetch mount ' +
    'have no socket; the memory engine is under them.',
  ratios: {},
  figures: [],
  tables: [TIME, ALLOCATION],
  measure: async (folder) => {
    const memory = await startService(IN_MEMORY);
    const { key } = memory.more;
    const sqlite = await startService(onSqlite(join(folder, 'data')));
    const profiled: Readonly<Record<string, Profiled>> = {
      'bare route': await profileServer(await startBare({ BENCH_INSPECT: 'yes' }), key),
      'server, memory': await profileServer(memory, key),
      'server, sqlite': await profileServer(sqlite, sqlite.more.key),
      function: await profileEvents('function'),
      'fetch mount': await profileEvents('fetch'),
    };
    const column = (of: keyof Profiled) =>
      Object.fromEntries(Object.entries(profiled).map(([name, one]) => [name, one[of]]));
    return {
      ratios: {},
      figures: {},
      tables: {
        [TIME]: { ...tableByOwner(column('time'), 0.5), chart: chartByOwner(column('time'), 'µs') },
        [ALLOCATION]: tableByOwner(column('bytes'), 100),
      },
    };
  },
});
