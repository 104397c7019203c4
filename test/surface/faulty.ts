import type { Table } from '../../adapters/store/table.ts';

/** A table whose named calls fail with what `fault` makes, for as long as it makes something; the rest goes through. */
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
