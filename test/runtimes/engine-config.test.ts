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

describe('the engines of AWS', () => {
  const AWS = { STORE: 'dynamodb', OBJECTS: 's3', TABLE_NAME: 'a_table.1-2', BUCKET_NAME: 'a.bucket-1' };

  test('are named by four variables', () => {
    expect(readConfig(AWS)).toMatchObject({
      store: 'dynamodb',
      objects: 's3',
      tableName: 'a_table.1-2',
      bucketName: 'a.bucket-1',
    });
  });

  test('are each told of the name they miss, beside every other fault', () => {
    expect(faultsOf({ STORE: 'dynamodb', OBJECTS: 's3', TABLE_NAME: '', API_PORT: 'x' })).toEqual([
      'API_PORT takes a whole number from 0 to 65535; it is "x".',
      'TABLE_NAME takes the name of the table where STORE is dynamodb; it is "".',
      'BUCKET_NAME takes the name of the bucket where OBJECTS is s3; it is "".',
    ]);
  });

  test('ask for their own name only', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ STORE: 'dynamodb', TABLE_NAME: 'table' })).toEqual([]);
    expect(faultsOf({ OBJECTS: 's3', BUCKET_NAME: 'bucket' })).toEqual([]);
  });

  test.each([
    ['TABLE_NAME', 'ab', 'a DynamoDB table'],
    ['TABLE_NAME', 'a table', 'a DynamoDB table'],
    ['BUCKET_NAME', 'A-Bucket', 'an S3 bucket'],
    ['BUCKET_NAME', 's3://bucket', 'an S3 bucket'],
  ])('refuse %s=%s', (variable, value, what) => {
    expect(faultsOf({ ...AWS, [variable]: value })).toEqual([
      `${variable} takes the name of ${what}; it is "${value}".`,
    ]);
  });

  test('keep the catalog for half a minute, where the others look every second or know of every change', () => {
    expect((['dynamodb', 'sqlite', 'memory'] as const).map((store) => catalogAge({ store }))).toEqual([
      30_000,
      1000,
      'unbounded',
    ]);
  });
});
