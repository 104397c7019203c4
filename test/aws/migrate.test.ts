import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dynamodbClient } from '../../adapters/dynamodb/client.ts';
import { DynamodbDump, PATIENT } from '../../adapters/dynamodb/dynamodb-dump.ts';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { openSqliteTable } from '../../adapters/sqlite/sqlite-table.ts';
import { spawnedCli as cli } from '../support/cli.ts';
import { createTable } from '../support/create-table.ts';
import { generateAccounts } from '../support/generate-accounts.ts';
import { finishMigration, killMigration } from '../support/kill-migration.ts';
import { type Entries, entriesOf } from './migration/contents-of.ts';
import { newBucket } from './support/buckets.ts';

const SAMPLE = fileURLToPath(new URL('../../examples/store/store.json', import.meta.url));
const ACCOUNTS = Number(process.env['MIGRATE_ACCOUNTS'] ?? 300);
const PAGE = 1000;

let folder: string;
let entries: number;
const at = (name: string): string => join(folder, name);

const entriesIn = async (dataDir: string): Promise<Entries> => {
  const table = openSqliteTable(join(dataDir, 'store.db'));
  try {
    return await entriesOf(table);
  } finally {
    await table.close();
  }
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrate-aws-'));
  await cli(['import', SAMPLE], { DATA_DIR: at('source') });
  const table = openSqliteTable(join(at('source'), 'store.db'));
  await generateAccounts(table, { accounts: ACCOUNTS });
  entries = await table.countEntries();
  await table.close();
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

test(
  `a migration of ${ACCOUNTS} accounts to DynamoDB, killed twice, and back again keeps every item equal`,
  { timeout: 60_000 + ACCOUNTS * 60 },
  async () => {
    const name = `table-${randomUUID()}`;
    const client = dynamodbClient();
    await createTable(client, name);
    const [table, dump] = [new DynamodbTable(name, client, PATIENT), new DynamodbDump(name, client)];
    const there = `dynamodb:${name},s3:${await newBucket()}`;
    /** Returns true once the migration has recorded more than `pages` positions. */
    const passed = (pages: number) => {
      const places = new Set<unknown>();
      return async () => {
        const run = await table.get({ pk: 'MIGRATION', sk: 'RUN' });
        if (run) places.add((run.data as { after?: string }).after);
        return places.size > pages;
      };
    };
    for (let kill = 0; kill < 2; kill++) {
      const pages = Math.ceil((Math.random() * 0.4 * entries) / PAGE);
      expect(await killMigration(at('source'), there, passed(pages))).toBe(true);
      expect((await entriesOf(dump)).size).toBeLessThan(entries);
    }
    expect(await finishMigration(at('source'), there)).toBe(0);
    const source = await entriesIn(at('source'));
    expect(source.size).toBe(entries);
    expect(await entriesOf(dump)).toEqual(source);

    expect(await finishMigration(there, at('back'))).toBe(0);
    expect(await entriesIn(at('back'))).toEqual(source);
    client.destroy();
  },
);
