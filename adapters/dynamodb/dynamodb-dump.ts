import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
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
import { batchWriter, MAX_WRITES } from './batch-write.ts';
import { type CallLimits, Calls } from './calls.ts';
import { counterKey, type StoredCounter, type StoredItem, storedItem } from './items.ts';
import { readEntry } from './read-entry.ts';
import { versionSource } from './version-source.ts';

/** A copy may take longer than a request, because a new table takes a minute or more to grow to the load. */
export const PATIENT: CallLimits = { attemptMs: 10_000, totalMs: 120_000, attempts: 400 };

/**
 * Dumps and restores one table of DynamoDB. A strongly consistent scan reads it, in pages of 1 MB; batches write it. A
 * throttled call is repeated for up to two minutes and then throws StoreUnavailable, as in DynamodbTable.
 */
export class DynamodbDump implements TableDump {
  readonly #name: string;
  readonly #client: DynamoDBDocumentClient;
  readonly #calls: Calls;
  readonly #newVersion = versionSource();

  /** The client must try each call once, as `dynamodbClient` makes it. The caller closes it. */
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

  /** The count that DynamoDB updates about every six hours. */
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
