import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import {
  type Condition,
  type IncrementOptions,
  type Item,
  ItemTooLarge,
  type Key,
  type NewItem,
  type Page,
  type Query,
  type ReadOptions,
  type Table,
  type TransactOptions,
  type Write,
} from '../store/table.ts';
import {
  checkIncrement,
  checkKey,
  checkKeys,
  checkQuery,
  checkWrites,
  dataJson,
  keyName,
  MAX_KEY_BYTES,
} from '../store/table-checks.ts';
import { type Attempt, type CallLimits, Calls, DEFAULT_LIMITS } from './calls.ts';
import { dynamodbClient } from './client.ts';
import { isConditionFailed, itemInTheWay, NothingProcessed } from './faults.ts';
import { counterKey, itemKey, itemPartition, onlyIf, readItem, type StoredItem, storedItem } from './items.ts';
import { PING } from './partitions.ts';
import { versionSource } from './version-source.ts';

/** The sort keys that a query may find, as a DynamoDB condition. */
type KeyRange = {
  /** The condition on `#sk`; undefined if the query accepts every sort key. */
  readonly expression: string | undefined;
  /** The values of the condition's placeholders. */
  readonly values: Readonly<Record<string, string>>;
  /** The sort key after which the page begins. */
  readonly after: string | undefined;
};

/** Compares by UTF-8 bytes, the order of sort keys in DynamoDB. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const LAST_CHARACTER = '\u{10ffff}';

/**
 * A string at or after every sort key with this prefix: the prefix, padded with the highest character beyond the length
 * of any key.
 */
const lastWith = (prefix: string): string =>
  prefix + LAST_CHARACTER.repeat(Math.floor((MAX_KEY_BYTES - Buffer.byteLength(prefix)) / 4) + 1);

/** The highest sort key that a query may find; undefined if there is no upper bound. */
const highest = (prefix: string, to: string | undefined): string | undefined => {
  if (prefix === '') return to;
  const last = lastWith(prefix);
  return to !== undefined && compare(to, last) < 0 ? to : last;
};

/** The single condition on the sort key that DynamoDB accepts. It has no empty string, which DynamoDB refuses. */
const conditionOf = (
  { prefix = '', from = '', to }: Query,
  low: string,
  high: string | undefined,
): Omit<KeyRange, 'after'> => {
  if (prefix !== '' && from === '' && to === undefined) {
    return { expression: 'begins_with(#sk, :prefix)', values: { ':prefix': prefix } };
  }
  if (low !== '' && high !== undefined) {
    return { expression: '#sk BETWEEN :low AND :high', values: { ':low': low, ':high': high } };
  }
  if (low !== '') return { expression: '#sk >= :low', values: { ':low': low } };
  return high === undefined
    ? { expression: undefined, values: {} }
    : { expression: '#sk <= :high', values: { ':high': high } };
};

/** The range that a query reads; undefined if the query can find nothing. */
const keyRange = (query: Query): KeyRange | undefined => {
  const { prefix = '', from = '', to, after, descending = false } = query;
  if (Buffer.byteLength(prefix) > MAX_KEY_BYTES) return undefined;
  const low = compare(prefix, from) > 0 ? prefix : from;
  const high = highest(prefix, to);
  if (high === '' || (high !== undefined && compare(low, high) > 0)) return undefined;
  const condition = conditionOf(query, low, high);
  if (after === undefined) return { ...condition, after };
  const fromLow = compare(after, low);
  const fromHigh = high === undefined ? -1 : compare(after, high);
  if (descending ? fromLow <= 0 : fromHigh >= 0) return undefined;
  // DynamoDB refuses a start key outside the range of the condition.
  const isOutside = descending ? fromHigh > 0 : fromLow < 0 || after === '';
  return { ...condition, after: isOutside ? undefined : after };
};

/** A query in DynamoDB's form; undefined if it can find nothing. */
const queryInput = (TableName: string, query: Query): QueryCommandInput | undefined => {
  const { pk, descending = false, limit, consistent = true } = query;
  const range = keyRange(query);
  if (!range) return undefined;
  const { expression, values, after } = range;
  return {
    TableName,
    KeyConditionExpression: expression === undefined ? '#pk = :pk' : `#pk = :pk AND ${expression}`,
    ExpressionAttributeNames: { '#pk': 'pk', ...(expression !== undefined && { '#sk': 'sk' }) },
    ExpressionAttributeValues: { ':pk': itemPartition(pk), ...values },
    ScanIndexForward: !descending,
    ConsistentRead: consistent,
    ...(limit !== undefined && { Limit: limit }),
    ...(after !== undefined && { ExclusiveStartKey: itemKey({ pk, sk: after }) }),
  };
};

/**
 * One attempt to read up to 100 items, returned by their `keyName`. It requests again the items that a response leaves
 * unprocessed, as one over 16 MB does, and throws NothingProcessed after a response without items. A repeated attempt
 * continues where the last one failed.
 */
const batchReader = (
  client: DynamoDBDocumentClient,
  tableName: string,
  keys: readonly Key[],
  consistent: boolean,
): Attempt<ReadonlyMap<string, StoredItem>> => {
  const found = new Map<string, StoredItem>();
  let left = [...keys];
  return async (options) => {
    while (left.length > 0) {
      const request = { [tableName]: { Keys: left, ConsistentRead: consistent } };
      const answer = await client.send(new BatchGetCommand({ RequestItems: request }), options);
      for (const item of answer.Responses?.[tableName] ?? [])
        found.set(keyName(item as StoredItem), item as StoredItem);
      const unprocessed = (answer.UnprocessedKeys?.[tableName]?.Keys ?? []) as Key[];
      if (unprocessed.length === left.length) throw new NothingProcessed('A batch brought no item.');
      left = unprocessed;
    }
    return found;
  };
};

/** The maximum size of all items that one transaction writes, in bytes. */
const MAX_TRANSACTION_BYTES = 4 * 1024 * 1024;

type Step = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const stepOf = (TableName: string, write: Write, newVersion: () => string): Step => {
  const condition = write.condition && onlyIf(write.condition);
  if ('put' in write) {
    return { Put: { TableName, Item: storedItem(write.put, newVersion(), dataJson(write.put)), ...condition } };
  }
  if ('remove' in write) return { Delete: { TableName, Key: itemKey(write.remove), ...condition } };
  return { ConditionCheck: { TableName, Key: itemKey(write.check), ...onlyIf(write.condition) } };
};

/** The writes as steps of a DynamoDB transaction. Throws ItemTooLarge if their items exceed 4 MB together. */
const stepsOf = (tableName: string, writes: readonly Write[], newVersion: () => string): Step[] => {
  const steps = writes.map((write) => stepOf(tableName, write, newVersion));
  const bytes = steps.reduce(
    (sum, { Put }) => sum + (Put ? Buffer.byteLength(Object.values(Put.Item ?? {}).join()) : 0),
    0,
  );
  if (bytes > MAX_TRANSACTION_BYTES) throw new ItemTooLarge('A transaction writes more than 4 MB.');
  return steps;
};

/** An increment in DynamoDB's form. Its response has the sum as `count`. */
const incrementInput = (
  TableName: string,
  key: Key,
  by: number,
  { expires_at }: IncrementOptions,
): UpdateCommandInput => {
  const expires = expires_at !== undefined;
  return {
    TableName,
    Key: counterKey(key),
    UpdateExpression: `ADD #count :by${expires ? ' SET #ttl = :ttl' : ''}`,
    ExpressionAttributeNames: { '#count': 'count', ...(expires && { '#ttl': 'ttl' }) },
    ExpressionAttributeValues: { ':by': by, ...(expires && { ':ttl': expires_at }) },
    ReturnValues: 'UPDATED_NEW',
  };
};

/** A put in DynamoDB's form. If its condition fails, the response has the conflicting item. */
const putInput = (TableName: string, Item: StoredItem, condition: Condition | undefined): PutCommandInput => ({
  TableName,
  Item,
  ...(condition && { ...onlyIf(condition), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
});

export type { CallLimits } from './calls.ts';

/**
 * The number of attempts of a throttled increment that is hurried. With the pauses they take about a tenth of a second.
 */
const HURRIED_INCREMENTS = 3;

/**
 * One DynamoDB table, whose keys are the strings `pk` and `sk` and whose time to live is `ttl`. It retries a call that
 * the store throttles, fails or leaves unanswered, for about three seconds; then it throws StoreUnavailable, whose
 * one-line message names the table and the reason. A hurried increment that is throttled fails within a tenth of a
 * second.
 *
 * A repeated write happens once: a put recognizes its own version, a transaction has a token, and an increment with an
 * unknown result is repeated only if it is volatile.
 */
export class DynamodbTable implements Table {
  readonly #name: string;
  readonly #client: DynamoDBDocumentClient;
  readonly #calls: Calls;
  readonly #newVersion = versionSource();

  /** The client must try each call once, as that of `dynamodbClient` does. The table closes it. */
  constructor(name: string, client: DynamoDBClient = dynamodbClient(), limits: CallLimits = DEFAULT_LIMITS) {
    this.#name = name;
    this.#client = DynamoDBDocumentClient.from(client);
    this.#calls = new Calls(name, limits);
  }

  async get(key: Key, { consistent = true }: ReadOptions = {}): Promise<Item | undefined> {
    checkKey(key);
    const { pk } = key;
    const command = new GetCommand({ TableName: this.#name, Key: itemKey(key), ConsistentRead: consistent });
    const { Item } = await this.#calls.run((options) => this.#client.send(command, options));
    return Item && readItem(pk, Item as StoredItem);
  }

  /** Takes one round trip. The items may be from different moments. */
  async getMany(keys: readonly Key[], { consistent = true }: ReadOptions = {}): Promise<(Item | undefined)[]> {
    checkKeys(keys);
    const itemKeys = keys.map((key) => ({ pk: key.pk, key: itemKey(key) }));
    const stored = itemKeys.map(({ key }) => key);
    const found = await this.#calls.run(batchReader(this.#client, this.#name, stored, consistent));
    return itemKeys.map(({ pk, key }) => {
      const item = found.get(keyName(key));
      return item && readItem(pk, item);
    });
  }

  async query(query: Query): Promise<Page> {
    checkQuery(query);
    const { pk } = query;
    const input = queryInput(this.#name, query);
    if (!input) return { items: [] };
    const command = new QueryCommand(input);
    const { Items = [], LastEvaluatedKey } = await this.#calls.run((options) => this.#client.send(command, options));
    const items = Items.map((item) => readItem(pk, item as StoredItem));
    return LastEvaluatedKey ? { items, next: LastEvaluatedKey['sk'] } : { items };
  }

  async put(item: NewItem, condition?: Condition): Promise<boolean> {
    checkWrites([{ put: item }]);
    const version = this.#newVersion();
    const command = new PutCommand(putInput(this.#name, storedItem(item, version, dataJson(item)), condition));
    try {
      await this.#calls.run((options) => this.#client.send(command, options));
      return true;
    } catch (error) {
      if (!isConditionFailed(error)) throw error;
      // The conflicting item may come from an earlier, unanswered attempt of this put.
      return itemInTheWay(error)?.['version']?.S === version;
    }
  }

  /**
   * Runs a conditional removal as a transaction, whose token lets a retry recognize that an earlier attempt succeeded.
   */
  async remove(key: Key, condition?: Condition): Promise<boolean> {
    if (condition) return this.transact([{ remove: key, condition }]);
    checkKey(key);
    const command = new DeleteCommand({ TableName: this.#name, Key: itemKey(key) });
    await this.#calls.run((options) => this.#client.send(command, options));
    return true;
  }

  async increment(key: Key, by: number, options: IncrementOptions = {}): Promise<number> {
    checkIncrement(key, by, options);
    const command = new UpdateCommand(incrementInput(this.#name, key, by, options));
    const { volatile = false, hurried = false } = options;
    const { Attributes } = await this.#calls.run((sending) => this.#client.send(command, sending), {
      once: !volatile,
      hurried: hurried ? HURRIED_INCREMENTS : undefined,
    });
    return Attributes?.['count'];
  }

  async transact(writes: readonly Write[], { hurried = false }: TransactOptions = {}): Promise<boolean> {
    checkWrites(writes);
    const TransactItems = stepsOf(this.#name, writes, this.#newVersion);
    const command = new TransactWriteCommand({ TransactItems, ClientRequestToken: randomUUID() });
    try {
      await this.#calls.run((options) => this.#client.send(command, options), { hurried: hurried ? 1 : undefined });
      return true;
    } catch (error) {
      if (isConditionFailed(error)) return false;
      throw error;
    }
  }

  async ping(): Promise<void> {
    await this.get({ pk: PING, sk: PING }, { consistent: false });
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }
}
