import type { Table } from '../../adapters/store/table.ts';

/** Wraps a table. The named calls fail with the error of `fault`, as long as it returns one. Other calls go through. */
export const failing = (table: Table, calls: readonly (keyof Table)[], fault: () => Error | undefined): Table =>
  new Proxy(table, {
    get: (target, name) => {
      const call: unknown = Reflect.get(target, name);
      if (typeof call !== 'function') return call;
      return (...args: unknown[]): unknown => {
        const error = calls.includes(name as keyof Table) ? fault() : undefined;
        return error ? Promise.reject(error) : Reflect.apply(call, target, args);
      };
    },
  });
