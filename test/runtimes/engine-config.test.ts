import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../runtimes/composition/config.ts';
import { BUILT_IN } from '../../runtimes/composition/engines/built-in.ts';
import type { TableEngine } from '../../runtimes/composition/engines/kinds.ts';
import { configFaults } from '../support/config-faults.ts';

const TABLES = Object.keys(BUILT_IN.tables).join(', ');

describe('the configuration of the AWS engines', () => {
  const AWS = { STORE: 'dynamodb', OBJECTS: 's3', TABLE_NAME: 'a_table.1-2', BUCKET_NAME: 'a.bucket-1' };

  test('four variables select and name the AWS engines', () => {
    expect(readConfig(AWS)).toMatchObject({
      store: { name: 'dynamodb', place: 'a_table.1-2' },
      objects: { name: 's3', place: 'a.bucket-1' },
    });
  });

  test('each AWS engine reports its missing name beside every other fault', () => {
    expect(configFaults({ STORE: 'dynamodb', OBJECTS: 's3', TABLE_NAME: '', API_PORT: 'x' })).toEqual([
      'API_PORT takes a whole number from 0 to 65535; it is "x".',
      'TABLE_NAME takes the name of the table where STORE is dynamodb; it is not set.',
      'BUCKET_NAME takes the name of the bucket where OBJECTS is s3; it is not set.',
    ]);
  });

  test('each AWS engine requires only its own name', () => {
    expect(configFaults({})).toEqual([]);
    expect(configFaults({ STORE: 'dynamodb', TABLE_NAME: 'table' })).toEqual([]);
    expect(configFaults({ OBJECTS: 's3', BUCKET_NAME: 'bucket' })).toEqual([]);
  });

  test.each([
    ['TABLE_NAME', 'ab', 'a DynamoDB table'],
    ['TABLE_NAME', 'a table', 'a DynamoDB table'],
    ['BUCKET_NAME', 'A-Bucket', 'an S3 bucket'],
    ['BUCKET_NAME', 's3://bucket', 'an S3 bucket'],
  ])('the AWS engines refuse %s=%s', (variable, value, what) => {
    expect(configFaults({ ...AWS, [variable]: value })).toEqual([
      `${variable} takes the name of ${what}; it is "${value}".`,
    ]);
  });

  test('the catalog is cached for 30 seconds on DynamoDB, 1 second on SQLite and without a limit in memory', () => {
    const { dynamodb, sqlite, memory } = BUILT_IN.tables;
    expect([dynamodb, sqlite, memory].map(({ catalogAge }) => catalogAge)).toEqual([30_000, 1000, 'unbounded']);
  });
});

describe('engines of a team', () => {
  const postgres: TableEngine = {
    variable: 'PGDATABASE',
    takes: 'the name of the database',
    catalogAge: 1000,
    open: () => BUILT_IN.tables.memory.open('', 'serving'),
  };
  const own = { tables: { postgres } };

  test('STORE names an engine of a team, whose own variable names the place', () => {
    expect(readConfig({ STORE: 'postgres', PGDATABASE: 'shop' }, own).store).toEqual({
      name: 'postgres',
      place: 'shop',
      engine: postgres,
    });
  });

  test('an engine without its place is a fault that says what the variable takes', () => {
    expect(() => readConfig({ STORE: 'postgres' }, own)).toThrow(
      new ConfigError('PGDATABASE takes the name of the database where STORE is postgres; it is not set.'),
    );
  });

  test('a name that no engine has is a fault that lists those there are', () => {
    expect(() => readConfig({ STORE: 'mysql' }, own)).toThrow(
      new ConfigError(`STORE takes one of ${TABLES}, postgres; it is "mysql".`),
    );
    expect(() => readConfig({ STORE: 'constructor' })).toThrow(`STORE takes one of ${TABLES};`);
  });

  test.each(['sqlite', 'folder'])('no engine of a team may take the name %s', (name) => {
    expect(() => readConfig({}, { tables: { [name]: postgres } })).toThrow('give your own another name');
  });

  test.each(['p', 'Postgres', 'post gres', ''])('no engine of a team may be named "%s"', (name) => {
    expect(() => readConfig({}, { tables: { [name]: postgres } })).toThrow(RangeError);
  });
});
