import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { dataJson } from '../store/table-checks.ts';
import {
  checkEntries,
  type Entry,
  type EntryPage,
  isCounter,
  isLiveAt,
  PAGE_ENTRIES,
  type TableDump,
} from '../store/table-dump.ts';
import { type Attempt, type CallLimits, Calls } from './calls.ts';
import { NothingProcessed } from './faults.ts';
import {
  counterKey,
  counterPartitionOf,
  itemPartitionOf,
  type StoredCounter,
  type StoredItem,
  storedItem,
} from './items.ts';
import { versionSource } from './version-source.ts';

/** The maximum number of items in a call. */
const MAX_WRITES = 25;

/**
 * One attempt to put up to 25 items, replacing existing ones. It resends the items that a response leaves unprocessed,
 * and throws NothingProcessed after a response that wrote none. A repeated attempt continues where the last one failed.
 */
const batchWriter = (client: DynamoDBDocumentClient, tableName: string, items: readonly object[]): Attempt<void> => {
  let left = items.map((Item) => ({ PutRequest: { Item: { ...Item } } }));
  return async (options) => {
    while (left.length > 0) {
      const command = new BatchWriteCommand({ RequestItems: { [tableName]: left } });
      const { UnprocessedItems } = await client.send(command, options);
      const unprocessed = (UnprocessedItems?.[tableName] ?? []) as typeof left;
      if (unprocessed.length === left.length) throw new NothingProcessed('A batch wrote no item.');
      left = unprocessed;
    }
  };
};

/** The entry of a stored item or counter that a scan returned. */
const readEntry = (stored: StoredItem | StoredCounter): Entry => {
  const { sk, ttl } = stored;
  const expiry = ttl === undefined ? {} : { expires_at: ttl };
  return 'count' in stored
    ? { pk: counterPartitionOf(stored.pk), sk, counter: stored.count, ...expiry }
    : { pk: itemPartitionOf(stored.pk), sk, data: JSON.parse(stored.data), ...expiry };
};

/** A copy may take longer than a request, because a new table takes a minute or more to grow to the load. */
export const PATIENT: CallLimits = { attemptMs: 10_000, totalMs: 120_000, attempts: 400 };

/**
 * Dumps and restores one DynamoDB table: a strongly consistent scan reads it in pages of 1 MB, and batches write it. A
 * throttled call is retried for up to two minutes and then throws StoreUnavailable, as in DynamodbTable.
 */
export class DynamodbDump implements TableDump {
  readonly #name: string;
  readonly #client: DynamoDBDocumentClient;
  readonly #calls: Calls;
  readonly #newVersion = versionSource();

  /** The client must try each call once, as that of `dynamodbClient` does. The caller closes it. */
  constructor(name: string, client: DynamoDBClient, limits: CallLimits = PATIENT) {
    this.#name = name;
    this.#client = DynamoDBDocumentClient.from(client);
    this.#calls = new Calls(name, limits);
  }

  async dump(liveAt: number, after?: string): Promise<EntryPage> {
    const command = new ScanCommand({
      TableName: this.#name,
      ConsistentRead: true,
      Limit: PAGE_ENTRIES,
      ...(after !== undefined && { ExclusiveStartKey: JSON.parse(after) }),
    });
    const { Items = [], LastEvaluatedKey } = await this.#calls.run((options) => this.#client.send(command, options));
    const entries = Items.map((item) => readEntry(item as StoredItem | StoredCounter));
    const live = entries.filter((entry) => isLiveAt(entry, liveAt));
    return LastEvaluatedKey ? { entries: live, next: JSON.stringify(LastEvaluatedKey) } : { entries: live };
  }

  async restore(entries: readonly Entry[]): Promise<void> {
    checkEntries(entries);
    const items = entries.map((entry) => this.#stored(entry));
    const batches = Array.from({ length: Math.ceil(items.length / MAX_WRITES) }, (_, i) =>
      items.slice(i * MAX_WRITES, (i + 1) * MAX_WRITES),
    );
    await Promise.all(batches.map((batch) => this.#calls.run(batchWriter(this.#client, this.#name, batch))));
  }

  /** DynamoDB updates this count about every six hours. */
  async countEntries(): Promise<number> {
    const command = new DescribeTableCommand({ TableName: this.#name });
    const { Table } = await this.#calls.run((options) => this.#client.send(command, options));
    return Table?.ItemCount ?? 0;
  }

  #stored(entry: Entry): StoredItem | StoredCounter {
    if (!isCounter(entry)) return storedItem(entry, this.#newVersion(), dataJson(entry));
    const { counter, expires_at } = entry;
    return { ...counterKey(entry), count: counter, ...(expires_at !== undefined && { ttl: expires_at }) };
  }
}
