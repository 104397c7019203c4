import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { dynamodbClient } from '../../adapters/dynamodb/client.ts';
import { answersAsThen } from '../formats/answers-as-then.ts';
import { backThen, DAYS, expectSound, knownOf, unpackBackup } from '../formats/old-stores.ts';
import { cli } from '../support/cli.ts';
import { newTable } from './support/tables.ts';

/** A table without expiry, because the items of old stores have expired by the server's clock. */
const aLastingTable = async (): Promise<string> => {
  const TableName = await newTable();
  const client = dynamodbClient();
  const TimeToLiveSpecification = { AttributeName: 'ttl', Enabled: false };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  client.destroy();
  return TableName;
};

describe.each(DAYS)('a backup made by version %s', (day) => {
  const known = knownOf(day);
  let folder: string;
  let TABLE_NAME: string;
  const at = (name: string) => join(folder, name);
  const there = () => ({
    ...known.ports,
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('AWS_'))),
    STORE: 'dynamodb',
    OBJECTS: 'filesystem',
    TABLE_NAME,
    DATA_DIR: at('files'),
  });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'old-store-'));
    TABLE_NAME = await aLastingTable();
    unpackBackup(day, at('backup'));
    backThen(known);
  });
  afterAll(() => {
    vi.useRealTimers();
    rmSync(folder, { recursive: true, force: true });
  });

  test('the backup is restored and moved to DynamoDB, and the doctor finds nothing wrong', async () => {
    expect(await cli(['restore', at('backup'), '--to', at('data')])).toMatchObject({ code: 0 });
    const to = `dynamodb:${TABLE_NAME},filesystem:${at('files')}`;
    expect(await cli(['migrate', '--from', at('data'), '--to', to], there())).toMatchObject({ code: 0 });
    expectSound(await cli(['doctor', '--json'], there()));
  });

  describe('once it is on DynamoDB', () => answersAsThen(there, known));

  test('the store is still sound afterwards', async () => expectSound(await cli(['doctor', '--json'], there())));
});
