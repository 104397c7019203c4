import { type Key, StoreUnavailable, type Table, type Write } from '../../adapters/store/table.ts';
import { keyOf } from '../../adapters/store/table-checks.ts';

/** A call of a table: its name, and its keys or partition. */
export type Called = { readonly name: keyof Table; readonly keys: readonly Pick<Key, 'pk'>[] };

const keysIn = (name: keyof Table, [first]: readonly unknown[]): readonly Pick<Key, 'pk'>[] => {
  if (name === 'transact') return (first as readonly Write[]).map(keyOf);
  if (name === 'getMany') return first as readonly Key[];
  return first ? [first as Key] : [];
};

/** A table whose calls fail like those of a throttling store, if `fails` says so. */
export const faultyTable = (table: Table, fails: (called: Called) => boolean): Table =>
  new Proxy(table, {
    get: (target, property) => {
      const member: unknown = Reflect.get(target, property);
      if (typeof member !== 'function') return member;
      const name = property as keyof Table;
      return async (...args: unknown[]): Promise<unknown> => {
        if (fails({ name, keys: keysIn(name, args) })) throw new StoreUnavailable('The store throttles.');
        return Reflect.apply(member, target, args);
      };
    },
  });
