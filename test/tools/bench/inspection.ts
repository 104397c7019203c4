import { type HeapProfiler, type Profiler, Session } from 'node:inspector/promises';
import { ownerOf } from './owners.ts';

/** Microseconds between two looks at the stack, and bytes between two looks at an allocation. */
const EVERY_MICROS = 200;
const EVERY_BYTES = 16 * 1024;

const UNKNOWN = 'outside JavaScript: kernel, libuv, compiler';

/** Microseconds or bytes by owner. */
export type ByOwner = Readonly<Record<string, number>>;

/** The built-ins of a statement, which a profile shows without a file under the adapter that calls them. */
const STATEMENT = new Set(['get', 'all', 'run', 'exec', 'iterate', 'prepare', 'next']);

const ownerUnder = (caller: string, name: string, url: string): string => {
  const owner = ownerOf(name, url);
  if (owner !== undefined) return owner;
  return caller === 'adapters/sqlite' && STATEMENT.has(name) ? 'node: sqlite' : caller;
};

const add = (sums: Record<string, number>, owner: string, value: number): void => {
  sums[owner] = (sums[owner] ?? 0) + value;
};

/** Sums the self time of a CPU profile by owner. */
const timeByOwner = ({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): ByOwner => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const owners = new Map<number, string>();
  const visit = (node: Profiler.ProfileNode, caller: string): void => {
    const owner = ownerUnder(caller, node.callFrame.functionName, node.callFrame.url);
    owners.set(node.id, owner);
    for (const child of node.children ?? []) visit(byId.get(child) as Profiler.ProfileNode, owner);
  };
  if (nodes[0]) visit(nodes[0], UNKNOWN);
  const sums: Record<string, number> = {};
  // The time until the next sample is spent in the function of this one.
  samples.forEach((id, n) => {
    add(sums, owners.get(id) ?? UNKNOWN, timeDeltas[n + 1] ?? 0);
  });
  return sums;
};

/** Sums the bytes of a sampling heap profile by owner. */
const bytesByOwner = (head: HeapProfiler.SamplingHeapProfileNode): ByOwner => {
  const sums: Record<string, number> = {};
  const visit = ({ callFrame, selfSize, children }: HeapProfiler.SamplingHeapProfileNode, caller: string): void => {
    const owner = ownerUnder(caller, callFrame.functionName, callFrame.url);
    add(sums, owner, selfSize);
    for (const child of children) visit(child, owner);
  };
  visit(head, UNKNOWN);
  return sums;
};

let session: Session | undefined;

const opened = (): Session => {
  if (session === undefined) {
    session = new Session();
    session.connect();
  }
  return session;
};

/** Answers with which the parent process profiles this one, by the inspector that Node has for everyone. */
export const inspection = {
  startProfile: async (): Promise<true> => {
    await opened().post('Profiler.enable');
    await opened().post('Profiler.setSamplingInterval', { interval: EVERY_MICROS });
    await opened().post('Profiler.start');
    return true;
  },
  stopProfile: async (): Promise<ByOwner> => timeByOwner((await opened().post('Profiler.stop')).profile),
  startHeap: async (): Promise<true> => {
    await opened().post('HeapProfiler.startSampling', {
      samplingInterval: EVERY_BYTES,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    return true;
  },
  stopHeap: async (): Promise<ByOwner> => bytesByOwner((await opened().post('HeapProfiler.stopSampling')).profile.head),
};
