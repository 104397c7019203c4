import type { Item, Key, Page, Table, Write } from '../../adapters/store/table.ts';

/* Helpers for tests that need many empty tables on an engine that opens them slowly. */

/** A table that delegates to another one, which a test replaces while a service continues. */
export const aSwitch = (first: Table) => {
  let on = first;
  const table: Table = {
    get: (...given) => on.get(...given),
    getMany: (...given) => on.getMany(...given),
    query: (...given) => on.query(...given),
    put: (...given) => on.put(...given),
    remove: (...given) => on.remove(...given),
    increment: (...given) => on.increment(...given),
    transact: (...given) => on.transact(...given),
    ping: () => on.ping(),
    close: async () => {},
  };
  const to = (next: Table): void => {
    on = next;
  };
  return { table, to };
};

/** A part of a table that acts as a separate table: all of its partitions begin with the prefix. */
export const prefixed = (table: Table, prefix: string): Table => {
  const on = <K extends Key>(key: K): K => ({ ...key, pk: prefix + key.pk });
  const off = <I extends Item>(item: I): I => ({ ...item, pk: item.pk.slice(prefix.length) });
  const written = (write: Write): Write =>
    'put' in write
      ? { ...write, put: on(write.put) }
      : 'remove' in write
        ? { ...write, remove: on(write.remove) }
        : { ...write, check: on(write.check) };
  return {
    get: async (key, options) => {
      const item = await table.get(on(key), options);
      return item && off(item);
    },
    getMany: async (keys, options) => (await table.getMany(keys.map(on), options)).map((item) => item && off(item)),
    query: async (query): Promise<Page> => {
      const page = await table.query({ ...query, pk: prefix + query.pk });
      return { ...page, items: page.items.map(off) };
    },
    put: (item, condition) => table.put(on(item), condition),
    remove: (key, condition) => table.remove(on(key), condition),
    increment: (key, by, options) => table.increment(on(key), by, options),
    transact: (writes, options) => table.transact(writes.map(written), options),
    ping: () => table.ping(),
    close: async () => {},
  };
};
