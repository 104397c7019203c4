import type { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import { StoreUnavailable, type Table } from '../../../adapters/store/table.ts';
import type { TableDump } from '../../../adapters/store/table-dump.ts';

export type Engine = Table & TableDump;

/** An engine based on a correct one. */
export type AlteredEngine = {
  readonly name: string;
  /** The calls that it does wrongly. Each opened table gets them anew. */
  readonly wrong?: (right: MemoryTable) => Partial<Engine>;
  /** The fault of a call during an outage, which may be over; by default that of a correct engine. */
  readonly fault?: (isOver: boolean) => Error | undefined;
};

/** A faulty engine, and the title of a contract case that detects it. */
export type WrongEngine = AlteredEngine & { readonly failing: string };

/** Shows that the cases fail only because of the fault. */
export const RIGHT_ENGINE: AlteredEngine = { name: 'a right engine' };

type Call = (...args: never[]) => unknown;

/** A correct implementation with some of its calls replaced. */
const withCalls = <T extends object>(right: T, replaced: (name: string) => Call | undefined): T =>
  new Proxy(right, {
    get: (_, name) => replaced(String(name)) ?? (Reflect.get(right, name) as Call | undefined)?.bind(right),
  });

/** A correct implementation with the calls from `wrong` in place of its own. */
export const altered = <T extends object>(right: T, wrong?: (right: T) => Partial<T>): T => {
  const calls = (wrong?.(right) ?? {}) as Readonly<Record<string, Call>>;
  return withCalls(right, (name) => calls[name]);
};

export const opened = (right: MemoryTable, { wrong }: AlteredEngine): Engine =>
  altered<Engine>(right, wrong && (() => wrong(right)));

const rightFault = (isOver: boolean): Error | undefined =>
  isOver ? undefined : new StoreUnavailable('The store does not answer.');

/** An engine whose store is unreachable until `restore` is called. */
export const outOfReach = (right: MemoryTable, { fault = rightFault }: AlteredEngine) => {
  let isOver = false;
  const table = withCalls(right, (name) => {
    const error = name === 'close' ? undefined : fault(isOver);
    return error && (() => Promise.reject(error));
  });
  const restore = () => {
    isOver = true;
  };
  return { table, restore, dump: table };
};
