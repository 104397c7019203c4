import type { Table } from '../../../adapters/store/table.ts';

/** The process was killed: no further write happens. */
export class Killed extends Error {
  override name = 'Killed';
}

/**
 * A table whose process dies at its write number `last`, counted from 1: neither that write nor a later one happens.
 * `writes` returns the number of writes so far.
 */
export const breakingTable = (table: Table, last: number): { readonly table: Table; readonly writes: () => number } => {
  let writes = 0;
  const writing = <A extends unknown[], R>(write: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      writes++;
      if (writes >= last) throw new Killed(`Write ${writes} was not done.`);
      return write(...args);
    };
  };
  const broken: Table = {
    get: table.get.bind(table),
    getMany: table.getMany.bind(table),
    query: table.query.bind(table),
    put: writing(table.put.bind(table)),
    remove: writing(table.remove.bind(table)),
    increment: writing(table.increment.bind(table)),
    transact: writing(table.transact.bind(table)),
    ping: () => table.ping(),
    close: () => table.close(),
  };
  return { table: broken, writes: () => writes };
};
