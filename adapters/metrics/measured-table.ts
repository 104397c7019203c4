import type {
  Condition,
  IncrementOptions,
  Item,
  Key,
  NewItem,
  Page,
  Query,
  ReadOptions,
  Table,
  TransactOptions,
  Write,
} from '../store/table.ts';
import { Operations } from './operations.ts';

/** The times of a table's calls, for a `MeasuredTable`. */
export const tableOperations = () =>
  new Operations(
    ['get', 'getMany', 'query', 'put', 'remove', 'increment', 'transact', 'ping'],
    ['StoreUnavailable', 'ItemTooLarge'],
  );

/** A table that times the calls of another one, and passes its results and errors on as they are. */
export class MeasuredTable implements Table {
  readonly #table: Table;
  readonly #operations: ReturnType<typeof tableOperations>;

  constructor(table: Table, operations: ReturnType<typeof tableOperations>) {
    this.#table = table;
    this.#operations = operations;
  }

  get(key: Key, options?: ReadOptions): Promise<Item | undefined> {
    return this.#operations.time('get', () => this.#table.get(key, options));
  }

  getMany(keys: readonly Key[], options?: ReadOptions): Promise<(Item | undefined)[]> {
    return this.#operations.time('getMany', () => this.#table.getMany(keys, options));
  }

  query(query: Query): Promise<Page> {
    return this.#operations.time('query', () => this.#table.query(query));
  }

  put(item: NewItem, condition?: Condition): Promise<boolean> {
    return this.#operations.time('put', () => this.#table.put(item, condition));
  }

  remove(key: Key, condition?: Condition): Promise<boolean> {
    return this.#operations.time('remove', () => this.#table.remove(key, condition));
  }

  increment(key: Key, by: number, options?: IncrementOptions): Promise<number> {
    return this.#operations.time('increment', () => this.#table.increment(key, by, options));
  }

  transact(writes: readonly Write[], options?: TransactOptions): Promise<boolean> {
    return this.#operations.time('transact', () => this.#table.transact(writes, options));
  }

  ping(): Promise<void> {
    return this.#operations.time('ping', () => this.#table.ping());
  }

  close(): Promise<void> {
    return this.#table.close();
  }
}
