import { randomUUID } from 'node:crypto';
import { DEFAULT_LIMITS } from '../../adapters/dynamodb/calls.ts';
import { dynamodbClient } from '../../adapters/dynamodb/client.ts';
import { DynamodbDump, PATIENT } from '../../adapters/dynamodb/dynamodb-dump.ts';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { S3Listing } from '../../adapters/s3/s3-listing.ts';
import { S3Objects } from '../../adapters/s3/s3-objects.ts';
import { objectListingContract } from '../contracts/object-listing.ts';
import { shopSalesContract } from '../contracts/shop-sales.ts';
import { tableDumpContract } from '../contracts/table-dump.ts';
import { createTable } from '../support/create-table.ts';
import { newBucket } from './support/buckets.ts';

/** Port 1 belongs to a service that no machine runs any more. */
const NOBODY_LISTENS = 'http://127.0.0.1:1';

const newStore = async () => {
  const name = `table-${randomUUID()}`;
  const client = dynamodbClient();
  await createTable(client, name);
  return { table: new DynamodbTable(name, client, PATIENT), dump: new DynamodbDump(name, client) };
};

tableDumpContract('DynamodbDump', newStore, {
  outage: () => {
    const client = dynamodbClient({ endpoint: NOBODY_LISTENS });
    return { table: new DynamodbTable('table', client), dump: new DynamodbDump('table', client, DEFAULT_LIMITS) };
  },
});

objectListingContract('S3Listing', async () => {
  const bucket = await newBucket();
  const [objects, listing] = [new S3Objects(bucket), new S3Listing(bucket)];
  return { store: Object.assign(objects, { list: (after?: string) => listing.list(after) }) };
});

shopSalesContract('DynamodbTable', async () => {
  const { table, dump } = await newStore();
  return Object.assign(table, { dump: dump.dump.bind(dump) });
});
