import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Table } from '../store/table.ts';
import { Durations, Tally } from './tally.ts';

/** Seconds. A read of SQLite takes less than a tenth of a millisecond, and a call to DynamoDB several milliseconds. */
const BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** The calls of one operation: their durations, and the rejected ones by kind of error. */
class Operation {
  readonly durations = new Durations(BOUNDS);
  readonly errors: Tally;

  constructor(kinds: readonly string[]) {
    this.errors = new Tally(kinds);
  }
}

/** The label of an error without its own name. */
const OTHER = 'other';

/**
 * Times the calls of an interface. A call that rejects is timed too. Errors count under their names if those are among
 * `kinds`, otherwise as `other`.
 */
export class Operations<Name extends string> {
  readonly names: readonly Name[];
  readonly #kinds: ReadonlySet<string>;
  readonly #operations: Readonly<Record<Name, Operation>>;

  constructor(names: readonly Name[], kinds: readonly string[]) {
    this.names = names;
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

/** Wraps `target` and times each call by its name. Results and errors pass through unchanged. */
const timed = <Name extends string, T extends Record<Name, (...args: never[]) => Promise<unknown>>>(
  target: T,
  operations: Operations<Name>,
): Pick<T, Name> =>
  Object.fromEntries(
    operations.names.map((name) => [name, (...args: never[]) => operations.time(name, () => target[name](...args))]),
  ) as Pick<T, Name>;

export const tableOperations = () =>
  new Operations(
    ['get', 'getMany', 'query', 'put', 'remove', 'increment', 'transact', 'ping'],
    ['StoreUnavailable', 'ItemTooLarge'],
  );

export const measuredTable = (table: Table, operations: ReturnType<typeof tableOperations>): Table => ({
  ...timed(table, operations),
  close: () => table.close(),
});

export const objectOperations = () =>
  new Operations(
    ['put', 'stat', 'open', 'examine', 'remove', 'signDownload', 'signUpload', 'ping'],
    ['StoreUnavailable', 'ObjectExists', 'ChecksumMismatch', 'InvalidObjectKey'],
  );

/**
 * An object store that times the calls of another. An `open` is timed until the first byte, because the reader sets the
 * pace after that.
 */
export const measuredObjects = (objects: ObjectStore, operations: ReturnType<typeof objectOperations>): ObjectStore =>
  timed(objects, operations);
