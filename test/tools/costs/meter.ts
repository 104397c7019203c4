import { setTimeout as pause } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Input, keysOf, type Output, unitsOf } from './units.ts';

/** One call of DynamoDB, with its units. */
type MeteredCall = {
  /** The operation, such as GetItem. */
  readonly operation: string;
  /** The round trip of the request to which the call belongs, counted from 1. */
  readonly round: number;
  readonly readUnits: number;
  readonly writeUnits: number;
};

type Units = Pick<MeteredCall, 'readUnits' | 'writeUnits'>;

/** The cost of one request. */
export type Metered = {
  /** The number of sequential round trips. */
  readonly rounds: number;
  readonly calls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** The operations of each round trip, in alphabetical order. */
  readonly operations: readonly (readonly string[])[];
};

/** The time that a request has between two calls, so that parallel calls share a round. */
const SETTLE_MS = 8;

/**
 * Counts the calls of a client and their units. Concurrent calls are answered together, as if each took the same time.
 * The number of round trips is therefore the longest chain of dependent calls, and is the same on every machine.
 */
export class Meter {
  readonly #client: DynamoDBDocumentClient;
  #calls: MeteredCall[] | undefined;
  #round = 1;
  #underWay = 0;
  #answered = Promise.withResolvers<void>();
  #failure: unknown;

  /** Meters the calls of `client` during `measure`. Reads items with `lookUp`, whose calls don't count. */
  constructor(client: DynamoDBClient, lookUp: DynamoDBClient, tableName: string) {
    this.#client = DynamoDBDocumentClient.from(lookUp);
    client.middlewareStack.add(
      (next, context) => async (args) => {
        if (!this.#calls) return next(args);
        const asked = args.input as Input;
        const operation = (context['commandName'] as string).replace(/Command$/, '');
        return this.#inStep(operation, async () => {
          const before = await Promise.all(keysOf(asked).map((key) => this.#itemAt(tableName, key)));
          const result = await next({ ...args, input: { ...asked, ReturnConsumedCapacity: 'TOTAL' } as never });
          return { result, units: unitsOf(operation, asked, result.output as Output, before) };
        });
      },
      { step: 'initialize', name: 'meter' },
    );
  }

  /** Measures the cost of one request. Throws if a call failed, because its units are unknown. Runs one at a time. */
  async measure(request: () => Promise<unknown>): Promise<Metered> {
    this.#calls = [];
    this.#round = 1;
    this.#failure = undefined;
    try {
      await request();
      if (this.#failure) throw new Error('A call failed, so that its units are unknown.', { cause: this.#failure });
      return metered(this.#calls);
    } finally {
      this.#calls = undefined;
    }
  }

  async #itemAt(TableName: string, Key: { pk: unknown; sk: unknown }): Promise<Record<string, unknown> | undefined> {
    return (await this.#client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
  }

  async #inStep<R>(operation: string, call: () => Promise<{ result: R; units: Units }>): Promise<R> {
    const round = this.#round;
    const answered = this.#answered.promise;
    this.#underWay++;
    try {
      const { result, units } = await call();
      this.#calls?.push({ operation, round, ...units });
      return result;
    } catch (error) {
      this.#failure = error;
      throw error;
    } finally {
      await pause(SETTLE_MS);
      this.#underWay--;
      if (this.#underWay === 0) this.#endRound();
      await answered;
    }
  }

  #endRound(): void {
    this.#round++;
    this.#answered.resolve();
    this.#answered = Promise.withResolvers<void>();
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const metered = (calls: readonly MeteredCall[]): Metered => {
  const rounds = Math.max(0, ...calls.map(({ round }) => round));
  return {
    rounds,
    calls: calls.length,
    readUnits: sum(calls.map(({ readUnits }) => readUnits)),
    writeUnits: sum(calls.map(({ writeUnits }) => writeUnits)),
    operations: Array.from({ length: rounds }, (_, i) =>
      calls
        .filter(({ round }) => round === i + 1)
        .map(({ operation }) => operation)
        .sort(),
    ),
  };
};
