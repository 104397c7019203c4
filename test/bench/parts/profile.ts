import { join } from 'node:path';
import type { Child, ChildServer } from '../child.ts';
import type { ByOwner } from '../inspection.ts';
import { closedLoop } from '../load.ts';
import { part, type Table } from '../part.ts';
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

const sumOf = (sums: ByOwner): number => Object.values(sums).reduce((all, one) => all + one, 0);

/** A table of sums by owner, the largest of all columns first. Owners below `least` in every column are one row. */
const tableOf = (columns: Readonly<Record<string, ByOwner>>, least: number): Table => {
  const names = Object.keys(columns);
  const all = Object.values(columns);
  const owners = [...new Set(all.flatMap((column) => Object.keys(column)))];
  const highest = (owner: string): number => Math.max(...all.map((column) => column[owner] ?? 0));
  const [shown, small] = [owners.filter((o) => highest(o) >= least), owners.filter((o) => highest(o) < least)];
  const cell = (value: number): number => (least < 1 ? Math.round(value * 10) / 10 : Math.round(value));
  const rows = shown
    .toSorted((a, b) => highest(b) - highest(a))
    .map((owner) => [owner, ...all.map((column) => cell(column[owner] ?? 0))]);
  const rest = all.map((column) => cell(small.reduce((sum, owner) => sum + (column[owner] ?? 0), 0)));
  return {
    head: ['', ...names],
    rows: [...rows, ['all others', ...rest], ['together', ...all.map((column) => cell(sumOf(column)))]],
  };
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
      tables: { [TIME]: tableOf(column('time'), 0.5), [ALLOCATION]: tableOf(column('bytes'), 50) },
    };
  },
});
