import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../runtimes/composition/config.ts';
import { catalogAge } from '../../runtimes/composition/engines.ts';

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
};

describe('the configuration of the AWS engines', () => {
  const AWS = { STORE: 'dynamodb', OBJECTS: 's3', TABLE_NAME: 'a_table.1-2', BUCKET_NAME: 'a.bucket-1' };

  test('four variables select and name the AWS engines', () => {
    expect(readConfig(AWS)).toMatchObject({
      store: 'dynamodb',
      objects: 's3',
      tableName: 'a_table.1-2',
      bucketName: 'a.bucket-1',
    });
  });

  test('each AWS engine reports its missing name beside every other fault', () => {
    expect(faultsOf({ STORE: 'dynamodb', OBJECTS: 's3', TABLE_NAME: '', API_PORT: 'x' })).toEqual([
      'API_PORT takes a whole number from 0 to 65535; it is "x".',
      'TABLE_NAME takes the name of the table where STORE is dynamodb; it is "".',
      'BUCKET_NAME takes the name of the bucket where OBJECTS is s3; it is "".',
    ]);
  });

  test('each AWS engine requires only its own name', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ STORE: 'dynamodb', TABLE_NAME: 'table' })).toEqual([]);
    expect(faultsOf({ OBJECTS: 's3', BUCKET_NAME: 'bucket' })).toEqual([]);
  });

  test.each([
    ['TABLE_NAME', 'ab', 'a DynamoDB table'],
    ['TABLE_NAME', 'a table', 'a DynamoDB table'],
    ['BUCKET_NAME', 'A-Bucket', 'an S3 bucket'],
    ['BUCKET_NAME', 's3://bucket', 'an S3 bucket'],
  ])('the AWS engines refuse %s=%s', (variable, value, what) => {
    expect(faultsOf({ ...AWS, [variable]: value })).toEqual([
      `${variable} takes the name of ${what}; it is "${value}".`,
    ]);
  });

  test('the catalog is cached for 30 seconds on DynamoDB, 1 second on SQLite and without a limit in memory', () => {
    expect((['dynamodb', 'sqlite', 'memory'] as const).map((store) => catalogAge({ store }))).toEqual([
      30_000,
      1000,
      'unbounded',
    ]);
  });
});
