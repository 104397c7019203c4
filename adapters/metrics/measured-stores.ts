import type { Readable } from 'node:stream';
import type { Permit } from '../../domain/access/permit.ts';
import type {
  ByteRange,
  DownloadTerms,
  ObjectInfo,
  ObjectStore,
  SignedDownload,
  SignedUpload,
  UploadTerms,
} from '../../ports/outbound/object-store.ts';
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
import { Durations, Tally } from './tally.ts';

/** Seconds. A read of SQLite takes less than a tenth of a millisecond, and a call of DynamoDB several. */
const BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** The calls of one operation: the time of each, and how many rejected, by the kind of the error. */
class Operation {
  readonly durations = new Durations(BOUNDS);
  readonly errors: Tally;

  constructor(kinds: readonly string[]) {
    this.errors = new Tally(kinds);
  }
}

/** The kind of an error that has no name of its own here. */
const OTHER = 'other';

/**
 * Times the calls of an interface. A call that rejects is timed too. Errors count under their names if those are among
 * `kinds`, otherwise as `other`.
 */
export class Operations<Name extends string> {
  readonly #kinds: ReadonlySet<string>;
  readonly #operations: Readonly<Record<Name, Operation>>;

  constructor(names: readonly Name[], kinds: readonly string[]) {
    this.#kinds = new Set(kinds);
    this.#operations = Object.fromEntries(names.map((name) => [name, new Operation([...kinds, OTHER])])) as Record<
      Name,
      Operation
    >;
  }

  time<T>(name: Name, call: () => Promise<T>): Promise<T> {
    const { durations, errors } = this.#operations[name];
    const started = performance.now();
    const ended = (): void => durations.add((performance.now() - started) / 1000);
    return call().then(
      (value) => {
        ended();
        return value;
      },
      (error: unknown) => {
        ended();
        errors.add(this.#kindOf(error));
        throw error;
      },
    );
  }

  each(): { readonly operation: string; readonly durations: Durations; readonly errors: Tally }[] {
    return Object.entries<Operation>(this.#operations).map(([operation, { durations, errors }]) => ({
      operation,
      durations,
      errors,
    }));
  }

  #kindOf(error: unknown): string {
    return error instanceof Error && this.#kinds.has(error.name) ? error.name : OTHER;
  }
}

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

/** The times of an object store's calls, for a `MeasuredObjects`. */
export const objectOperations = () =>
  new Operations(
    ['put', 'stat', 'open', 'examine', 'remove', 'signDownload', 'signUpload', 'ping'],
    ['StoreUnavailable', 'ObjectExists', 'ChecksumMismatch', 'InvalidObjectKey'],
  );

/**
 * An object store that times the calls of another one, and passes its results and errors on as they are. The time of an
 * `open` ends with the first byte, because the reader sets the pace of the others.
 */
export class MeasuredObjects implements ObjectStore {
  readonly #objects: ObjectStore;
  readonly #operations: ReturnType<typeof objectOperations>;

  constructor(objects: ObjectStore, operations: ReturnType<typeof objectOperations>) {
    this.#objects = objects;
    this.#operations = operations;
  }

  put(
    permit: Permit,
    key: string,
    bytes: Readable,
    expect?: { sha256?: string; size?: number },
  ): Promise<{ created: boolean; info: ObjectInfo }> {
    return this.#operations.time('put', () => this.#objects.put(permit, key, bytes, expect));
  }

  stat(key: string): Promise<ObjectInfo | undefined> {
    return this.#operations.time('stat', () => this.#objects.stat(key));
  }

  open(key: string, range?: ByteRange): Promise<{ info: ObjectInfo; stream: Readable } | undefined> {
    return this.#operations.time('open', () => this.#objects.open(key, range));
  }

  examine(...args: Parameters<ObjectStore['examine']>): ReturnType<ObjectStore['examine']> {
    return this.#operations.time('examine', () => this.#objects.examine(...args));
  }

  remove(permit: Permit, key: string): Promise<void> {
    return this.#operations.time('remove', () => this.#objects.remove(permit, key));
  }

  signDownload(key: string, as: DownloadTerms): Promise<SignedDownload> {
    return this.#operations.time('signDownload', () => this.#objects.signDownload(key, as));
  }

  signUpload(permit: Permit, key: string, terms: UploadTerms): Promise<SignedUpload> {
    return this.#operations.time('signUpload', () => this.#objects.signUpload(permit, key, terms));
  }

  ping(): Promise<void> {
    return this.#operations.time('ping', () => this.#objects.ping());
  }
}
