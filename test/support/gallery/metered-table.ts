import type { ReadOptions, Table } from '../../../adapters/store/table.ts';

/** The reads of some work: sequential rounds, calls, and DynamoDB's read units by its rules. */
export type Reads = { rounds: number; calls: number; units: number };

const UNIT_BYTES = 4096;

/** The size of an item including attributes other than its data, roughly as DynamoDB counts it. */
const sizeOf = (item: { pk: string; sk: string; data: object } | undefined): number =>
  item === undefined ? 0 : Buffer.byteLength(item.pk + item.sk + JSON.stringify(item.data)) + 50;

const unitsOf = (bytes: number, { consistent = true }: ReadOptions = {}): number =>
  Math.max(1, Math.ceil(bytes / UNIT_BYTES)) * (consistent ? 1 : 0.5);

/**
 * A table that counts the reads of some work. Concurrent reads count as one round, because every read takes a turn of
 * the event loop.
 */
export const meteredTable = (table: Table) => {
  let reads: Reads = { rounds: 0, calls: 0, units: 0 };
  let underWay = 0;
  const metered = async <R>(read: () => Promise<R>, units: (result: R) => number): Promise<R> => {
    if (underWay === 0) reads.rounds++;
    underWay++;
    try {
      const result = await read();
      reads.calls++;
      reads.units += units(result);
      await new Promise(setImmediate);
      return result;
    } finally {
      underWay--;
    }
  };
  const counting: Pick<Table, 'get' | 'getMany' | 'query'> = {
    get: (key, options) =>
      metered(
        () => table.get(key, options),
        (item) => unitsOf(sizeOf(item), options),
      ),
    getMany: (keys, options) =>
      metered(
        () => table.getMany(keys, options),
        (items) => (items as (typeof items)[number][]).reduce((sum, item) => sum + unitsOf(sizeOf(item), options), 0),
      ),
    query: (query) =>
      metered(
        () => table.query(query),
        ({ items }) =>
          unitsOf(
            items.reduce((sum, item) => sum + sizeOf(item), 0),
            query,
          ),
      ),
  };
  const rest = new Proxy(table, {
    get: (target, name) => {
      const own: unknown = Reflect.get(counting, name);
      if (own !== undefined) return own;
      const call: unknown = Reflect.get(target, name);
      return typeof call === 'function' ? call.bind(target) : call;
    },
  });
  return {
    table: rest,
    measure: async (work: () => Promise<unknown>): Promise<Reads> => {
      reads = { rounds: 0, calls: 0, units: 0 };
      await work();
      return reads;
    },
  };
};
