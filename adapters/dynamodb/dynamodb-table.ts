import { randomBytes, randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import {
  type Condition,
  checkIncrement,
  checkKey,
  checkKeys,
  checkQuery,
  checkWrites,
  dataJson,
  type IncrementOptions,
  type Item,
  type Key,
  keyName,
  type NewItem,
  type Page,
  type Query,
  type ReadOptions,
  type Table,
  type Write,
} from '../store/table.ts';
import { batchReader } from './batch.ts';
import { type CallLimits, Calls, DEFAULT_LIMITS } from './calls.ts';
import { dynamodbClient } from './client.ts';
import { isConditionFailed, itemInTheWay } from './faults.ts';
import { counterKey, itemKey, onlyIf, readItem, type StoredItem, storedItem } from './items.ts';
import { queryInput } from './query-input.ts';
import { stepsOf } from './transaction.ts';

/**
 * One table of DynamoDB, whose keys are the texts `pk` and `sk` and whose time to live is `ttl`. A call that the store
 * throttles, fails or leaves unanswered is tried again, for about three seconds; then it is StoreUnavailable, in one line
 * that names the table and the reason.
 *
 * What is tried again happens once: a put knows its own version where it meets it, a transaction has a token, and an
 * increment whose fate is unknown is only repeated where it is volatile.
 */
export class DynamodbTable implements Table {
  readonly #name: string;
  readonly #client: DynamoDBDocumentClient;
  readonly #calls: Calls;
  readonly #tag = randomBytes(9).toString('base64url');
  #versions = 0;

  /** The client has to try each call once, as `dynamodbClient` makes it. It is closed with the table. */
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

  /** In one round trip. Each item is as it was at some moment of it, which need not be the same for all. */
  async getMany(keys: readonly Key[], { consistent = true }: ReadOptions = {}): Promise<(Item | undefined)[]> {
    checkKeys(keys);
    const asked = keys.map((key) => ({ pk: key.pk, key: itemKey(key) }));
    const stored = asked.map(({ key }) => key);
    const found = await this.#calls.run(batchReader(this.#client, this.#name, stored, consistent));
    return asked.map(({ pk, key }) => {
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
    const command = new PutCommand({
      TableName: this.#name,
      Item: storedItem(item, version, dataJson(item)),
      ...(condition && { ...onlyIf(condition), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    });
    try {
      await this.#calls.run((options) => this.#client.send(command, options));
      return true;
    } catch (error) {
      if (!isConditionFailed(error)) throw error;
      // An attempt before this one may have gone through without an answer.
      return itemInTheWay(error)?.['version']?.S === version;
    }
  }

  /** On a condition by a transaction: a repeated one finds the item gone, and only a token tells that it was this one. */
  async remove(key: Key, condition?: Condition): Promise<boolean> {
    if (condition) return this.transact([{ remove: key, condition }]);
    checkKey(key);
    const command = new DeleteCommand({ TableName: this.#name, Key: itemKey(key) });
    await this.#calls.run((options) => this.#client.send(command, options));
    return true;
  }

  async increment(key: Key, by: number, options: IncrementOptions = {}): Promise<number> {
    checkIncrement(key, by, options);
    const { expires_at, volatile = false } = options;
    const expires = expires_at !== undefined;
    const command = new UpdateCommand({
      TableName: this.#name,
      Key: counterKey(key),
      UpdateExpression: `ADD #count :by${expires ? ' SET #ttl = :ttl' : ''}`,
      ExpressionAttributeNames: { '#count': 'count', ...(expires && { '#ttl': 'ttl' }) },
      ExpressionAttributeValues: { ':by': by, ...(expires && { ':ttl': expires_at }) },
      ReturnValues: 'UPDATED_NEW',
    });
    const { Attributes } = await this.#calls.run((sending) => this.#client.send(command, sending), { once: !volatile });
    return Attributes?.['count'];
  }

  async transact(writes: readonly Write[]): Promise<boolean> {
    checkWrites(writes);
    const TransactItems = stepsOf(this.#name, writes, () => this.#newVersion());
    const command = new TransactWriteCommand({ TransactItems, ClientRequestToken: randomUUID() });
    try {
      await this.#calls.run((options) => this.#client.send(command, options));
      return true;
    } catch (error) {
      if (isConditionFailed(error)) return false;
      throw error;
    }
  }

  async ping(): Promise<void> {
    await this.get({ pk: 'PING', sk: 'PING' }, { consistent: false });
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  #newVersion(): string {
    return `${this.#tag}.${++this.#versions}`;
  }
}
