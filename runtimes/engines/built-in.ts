import { existsSync } from 'node:fs';
import type { TableDump } from '../../adapters/store/table-dump.ts';
import { lazy, needing } from '../../adapters/system/loading.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import { dataFiles } from '../configuration/data-dir.ts';
import type { EngineKinds, ObjectsEngine, TableEngine } from './kinds.ts';

/**
 * An object store that is loaded with the first call. License checks never call one, and S3's client is a large part of
 * the code that a Lambda function would load before its first check.
 */
export const lazyObjects = (load: () => Promise<ObjectStore>): ObjectStore => {
  const store = lazy(load);
  return {
    put: async (permit, key, bytes, expected) => {
      // A stream error before the store is loaded needs a listener. The reader of the stream receives the error later.
      bytes.once('error', () => {});
      return (await store()).put(permit, key, bytes, expected);
    },
    stat: async (key) => (await store()).stat(key),
    open: async (key, range) => (await store()).open(key, range),
    examine: async (key, expected, how) => (await store()).examine(key, expected, how),
    remove: async (permit, key) => (await store()).remove(permit, key),
    signDownload: async (key, as) => (await store()).signDownload(key, as),
    signUpload: async (permit, key, terms) => (await store()).signUpload(permit, key, terms),
    ping: async () => (await store()).ping(),
  };
};

/* Each engine loads its code on first use, so that no engine needs the packages of another. */

const memoryTable: TableEngine = {
  variable: null,
  takes: 'nothing',
  catalogAge: 'unbounded',
  open: async () => {
    const { MemoryTable } = await import('../../adapters/memory/memory-table.ts');
    const table = new MemoryTable();
    return { table, dump: table };
  },
};

/** The maximum age of cached products and releases, in milliseconds. */
const SQLITE_AGE_MS = 1000;
/** This is longer than on SQLite, because each check is a network round trip, which DynamoDB also bills. */
const POSTGRES_AGE_MS = 5000;
const DYNAMODB_AGE_MS = 30_000;

const sqlite: TableEngine = {
  variable: 'DATA_DIR',
  takes: 'a folder',
  catalogAge: SQLITE_AGE_MS,
  exists: (folder) => existsSync(dataFiles(folder).table),
  open: async (folder, _purpose, horizon) => {
    const { openSqliteTable } = await import('../../adapters/sqlite/sqlite-table.ts');
    const table = openSqliteTable(dataFiles(folder).table, { ...(horizon && { now: horizon }) });
    return { table, dump: table };
  },
};

const postgres: TableEngine = {
  variable: 'DATABASE_URL',
  takes: 'a URL such as postgres://shop@db.example.com/shop',
  catalogAge: POSTGRES_AGE_MS,
  open: async (url, purpose, horizon) => {
    const { PostgresTable } = await needing(
      'The engine postgres',
      ['pg'],
      () => import('../../adapters/postgres/postgres-table.ts'),
    );
    const table = await PostgresTable.open(url, purpose, horizon);
    return { table, dump: table, faults: () => table.faults() };
  },
};

/** A dump that is loaded on first use, because a function never reads its whole table. */
const lazyDump = (load: () => Promise<TableDump>): TableDump => {
  const dump = lazy(load);
  return {
    dump: async (liveAt, after) => (await dump()).dump(liveAt, after),
    restore: async (entries) => (await dump()).restore(entries),
    countEntries: async () => (await dump()).countEntries(),
  };
};

const DYNAMODB_PACKAGES = ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb'];

/** Region, credentials and endpoint come from the SDK's own environment variables. */
const dynamodb: TableEngine = {
  variable: 'TABLE_NAME',
  takes: 'the name of the table',
  catalogAge: DYNAMODB_AGE_MS,
  makesKeys: false,
  open: async (name, purpose) => {
    const [{ DynamodbTable }, { dynamodbClient }] = await needing('The engine dynamodb', DYNAMODB_PACKAGES, () =>
      Promise.all([import('../../adapters/dynamodb/dynamodb-table.ts'), import('../../adapters/dynamodb/client.ts')]),
    );
    const client = dynamodbClient();
    const dumping = () => import('../../adapters/dynamodb/dynamodb-dump.ts');
    const dump = lazyDump(async () => new (await dumping()).DynamodbDump(name, client));
    const table = new DynamodbTable(name, client);
    if (purpose === 'serving') return { table, dump };
    // A wrong name or address fails here, with the time limits of a request and not those of a copy.
    await table.ping();
    return { table: new DynamodbTable(name, client, (await dumping()).PATIENT), dump };
  },
};

const memoryObjects: ObjectsEngine = {
  variable: null,
  takes: 'nothing',
  open: async (_place, sign) => {
    const { MemoryObjects } = await import('../../adapters/memory/memory-objects.ts');
    const signatures = await sign();
    const objects = new MemoryObjects(signatures.downloads, signatures.uploads);
    return { objects, listing: objects, signatures };
  },
};

const filesystem: ObjectsEngine = {
  variable: 'DATA_DIR',
  takes: 'a folder',
  exists: (folder) => existsSync(dataFiles(folder).objects),
  open: async (folder, sign) => {
    const { FilesystemObjects } = await import('../../adapters/filesystem/filesystem-objects.ts');
    const signatures = await sign();
    const objects = new FilesystemObjects(dataFiles(folder).objects, signatures.downloads, signatures.uploads);
    return { objects, listing: objects, signatures, tidy: () => objects.tidy() };
  },
};

const onS3 = <T>(load: () => Promise<T>): Promise<T> =>
  needing('The engine s3', ['@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner'], load);

/** Servers other than Amazon's have no bucket names in their host names. */
const elsewhere = (): { readonly forcePathStyle?: true } => {
  const { AWS_ENDPOINT_URL: all, AWS_ENDPOINT_URL_S3: address = all } = process.env;
  return address && !/\.amazonaws\.com/.test(address) ? { forcePathStyle: true } : {};
};

const s3: ObjectsEngine = {
  variable: 'BUCKET_NAME',
  takes: 'the name of the bucket',
  open: async (bucket) => {
    const objects = lazyObjects(async () => {
      const { S3Objects } = await onS3(() => import('../../adapters/s3/s3-objects.ts'));
      return new S3Objects(bucket, elsewhere());
    });
    const listing = lazy(async () => {
      const { S3Listing } = await onS3(() => import('../../adapters/s3/s3-listing.ts'));
      return new S3Listing(bucket, elsewhere());
    });
    return { objects, listing: { list: async (after) => (await listing()).list(after) } };
  },
};

/** The engines of this package, in the order of messages. */
export const BUILT_IN = {
  tables: { sqlite, memory: memoryTable, dynamodb, postgres },
  objects: { filesystem, memory: memoryObjects, s3 },
} as const satisfies EngineKinds;
