import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import { type Item, StoreUnavailable, type Write } from '../../../adapters/store/table.ts';
import { checkIncrement, checkWrites, keyName } from '../../../adapters/store/table-checks.ts';
import { isLiveAt } from '../../../adapters/store/table-dump.ts';
import type { Engine, WrongEngine } from './opened.ts';

/** The latency of a call to a store, in milliseconds. */
const WAY = 3;

const holds = async (right: MemoryTable, write: Write): Promise<boolean> => {
  if (!('check' in write)) return true;
  const item = await right.get(write.check);
  return 'absent' in write.condition ? item === undefined : item?.version === write.condition.version;
};

/** A transaction that reads one kind of check before it writes, without a lock in between. */
const checkingBefore =
  (right: MemoryTable, isEarly: (write: Write) => boolean = (write) => 'check' in write) =>
  async (given: readonly Write[]): Promise<boolean> => {
    checkWrites(given);
    const writes = structuredClone(given);
    for (const write of writes.filter(isEarly)) if (!(await holds(right, write))) return false;
    await delay(WAY);
    const late = writes.filter((write) => !isEarly(write));
    return late.length === 0 || right.transact(late);
  };

/** Transactions that wait for the ones before. */
const inTurns = (transact: (writes: readonly Write[]) => Promise<boolean>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (writes: readonly Write[]): Promise<boolean> => {
    const done = last.then(() => transact(writes));
    last = done.catch(() => undefined);
    return done;
  };
};

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
};

const seconds = (): number => Math.floor(Date.now() / 1000);

const inRing = (size: number, breach: string): string =>
  `of ${size} simultaneous transactions in a ring, in which each ${breach}, all but one succeed`;

/** Faulty engines whose transactions are not isolated. */
const TRANSACTIONS: readonly WrongEngine[] = [
  {
    name: 'an engine that reads the checks of a transaction before it writes',
    wrong: (right) => ({ transact: checkingBefore(right) }),
    failing: inRing(2, 'replaces the version that another requires'),
  },
  {
    name: 'an engine that locks the items that a transaction checks, and no absent ones',
    wrong: (right) => ({
      transact: checkingBefore(right, (write) => 'check' in write && 'absent' in write.condition),
    }),
    failing: inRing(3, 'adds an item that another requires absent'),
  },
  {
    name: 'an engine whose transactions wait for each other, but not for a put',
    wrong: (right) => ({ transact: inTurns(checkingBefore(right)) }),
    failing: 'a transaction writes nothing after a put broke its check',
  },
  {
    name: 'an engine that writes the items of a transaction one after the other',
    wrong: (right) => ({
      transact: async (given) => {
        checkWrites(given);
        const writes = structuredClone(given);
        if (writes.some(({ condition }) => condition)) return right.transact(writes);
        for (const write of writes) await turn().then(() => right.transact([write]));
        return true;
      },
    }),
    failing:
      'simultaneous transactions on the same keys, in any order, all succeed, and the items of one of them remain',
  },
];

/** Faulty engines that get an expiry wrong. */
const EXPIRIES: readonly WrongEngine[] = [
  {
    name: 'an engine whose increments clear an expiry that they don’t name',
    wrong: (right) => ({
      increment: async (key, by, options) => {
        const sum = await right.increment(key, by, options);
        const { pk, sk } = key;
        if (options?.expires_at === undefined) await right.restore([{ pk, sk, counter: sum }]);
        return sum;
      },
    }),
    failing: 'an increment replaces the expiry of its counter, and without one keeps it (volatile: false)',
  },
  {
    name: 'an engine whose increments never move an expiry',
    wrong: (right) => {
      const made = new Set<string>();
      return {
        increment: async (key, by, { expires_at, ...options } = {}) => {
          checkIncrement(key, by, { ...(expires_at !== undefined && { expires_at }) });
          if (made.has(keyName(key)) || expires_at === undefined) return right.increment(key, by, options);
          made.add(keyName(key));
          return right.increment(key, by, { ...options, expires_at });
        },
      };
    },
    failing: 'simultaneous increments leave the expiry that all of them name',
  },
  {
    name: 'an engine whose increments never set an expiry',
    wrong: (right) => ({
      increment: async (key, by, options = {}) => {
        checkIncrement(key, by, options);
        return right.increment(key, by);
      },
    }),
    failing: 'the first increment of a counter sets its expiry',
  },
  {
    name: 'an engine that hides expired items from reads, and not from conditions',
    wrong: (right) => ({
      get: async (key) => {
        const item = await right.get(key);
        return item && isLiveAt(item, seconds()) ? item : undefined;
      },
    }),
    failing: 'an expired item is visible to reads and conditions alike, or to neither (1)',
  },
  {
    name: 'an engine that takes the seconds of an expiry for milliseconds',
    wrong: (right) => ({
      put: async (item, condition) => {
        const done = await right.put(item, condition);
        if (item.expires_at !== undefined && item.expires_at < Date.now()) await right.remove(item);
        return done;
      },
    }),
    failing: 'nothing is deleted before its expiry, or without one, however much is written',
  },
];

/** The writes of an engine, each of which clears its state. */
const clearing = (kept: Map<string, unknown>, right: MemoryTable): Pick<Engine, 'put' | 'remove' | 'transact'> => ({
  put: (item, condition) => right.put(item, condition).finally(() => kept.clear()),
  remove: (key, condition) => right.remove(key, condition).finally(() => kept.clear()),
  transact: (writes) => right.transact(writes).finally(() => kept.clear()),
});

/** Faulty engines that fail across processes. */
const PROCESSES: readonly WrongEngine[] = [
  {
    name: 'an engine whose outages are errors of its driver',
    fault: (isOver) => (isOver ? undefined : Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
    failing: 'every call rejects with StoreUnavailable, in time, while the store is out of reach',
  },
  {
    name: 'an engine that never connects again',
    fault: () => new StoreUnavailable('The connection has ended.'),
    failing: 'a table works again when the outage is over',
  },
  {
    name: 'an engine that keeps what it has read until it writes itself',
    wrong: (right) => {
      const kept = new Map<string, Item | undefined>();
      return {
        get: async (key) => {
          if (!kept.has(keyName(key))) kept.set(keyName(key), await right.get(key));
          return kept.get(keyName(key));
        },
        ...clearing(kept, right),
      };
    },
    failing: 'a read sees each write that another table acknowledged before',
  },
];

/** Faulty engines that return or store something other than the data. */
const CONTENTS: readonly WrongEngine[] = [
  {
    name: 'an engine whose pages have no bound in bytes',
    wrong: (right) => ({
      query: async (query) => {
        const { limit = 1000 } = query;
        const items: Item[] = [];
        for (let { after } = query; ; ) {
          const page = await right.query({ ...query, after, limit: limit - items.length });
          items.push(...page.items);
          if (page.next === undefined || items.length === limit) return { ...page, items };
          after = page.next;
        }
      },
    }),
    failing: 'a page of items of x × 250000 ends with the one that brings it to 1 MiB ({})',
  },
  {
    name: 'an engine that sorts the members of its data',
    wrong: (right) => ({
      put: (item, condition) => right.put({ ...item, data: sorted(item.data) as object }, condition),
    }),
    failing: 'stored data keep the order of members',
  },
  {
    name: 'an engine that counts in 32 bits',
    wrong: (right) => ({ increment: async (key, by, options) => (await right.increment(key, by, options)) | 0 }),
    failing: 'a counter is exact up to the largest safe integers, in both directions',
  },
  {
    name: 'an engine that takes no notice of case in the keys of counters',
    wrong: (right) => ({
      increment: ({ pk, sk }, by, options) => right.increment({ pk, sk: sk.toLowerCase() }, by, options),
    }),
    failing: 'the keys of counters that differ in any character are kept apart',
  },
];

export const WRONG_ENGINES: readonly WrongEngine[] = [...TRANSACTIONS, ...EXPIRIES, ...PROCESSES, ...CONTENTS];
