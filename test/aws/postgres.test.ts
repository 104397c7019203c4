import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnedCli as cli } from '../support/cli.ts';
import { finishMigration } from '../support/kill-migration.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { contentsOf } from './migration/contents-of.ts';
import { newBucket } from './support/buckets.ts';
import { newTable } from './support/tables.ts';

const SAMPLE = fileURLToPath(new URL('../../examples/store/store.json', import.meta.url));

let folder: string;
let postgres: PostgresServer;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'migrate-postgres-'));
  postgres = await startPostgres();
  await Promise.all(['there', 'again'].map((name) => postgres.createDatabase(name)));
});
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

test('a store moves from SQLite to PostgreSQL and S3, to DynamoDB, to PostgreSQL and back, and is the same everywhere', async () => {
  await cli(['import', SAMPLE], { DATA_DIR: at('source') });
  const bucket = await newBucket();
  const places = [
    `folder:${at('source')}`,
    `${postgres.url('there')},s3:${await newBucket()}`,
    `dynamodb:${await newTable()},s3:${bucket}`,
    `${postgres.url('again')},filesystem:${at('files')}`,
    `folder:${at('back')}`,
  ];
  const source = await contentsOf(places[0] ?? '');
  expect(source.entries.size).toBeGreaterThan(50);
  for (const [n, to] of places.slice(1).entries()) {
    expect(await finishMigration(places[n] ?? '', to)).toBe(0);
    expect(await contentsOf(to)).toEqual(source);
  }
}, 180_000);
