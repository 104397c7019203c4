import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../runtimes/configuration/config.ts';
import { BUILT_IN } from '../../runtimes/engines/built-in.ts';
import type { TableEngine } from '../../runtimes/engines/kinds.ts';
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

  test('the catalog is cached for 30 seconds on DynamoDB, 5 on PostgreSQL, 1 on SQLite and indefinitely in memory', () => {
    const { dynamodb, postgres, sqlite, memory } = BUILT_IN.tables;
    const ages = [dynamodb, postgres, sqlite, memory].map(({ catalogAge }) => catalogAge);
    expect(ages).toEqual([30_000, 5000, 1000, 'unbounded']);
  });

  test('an invalid database address is an error that does not show it, because it can contain a password', () => {
    const message = 'DATABASE_URL takes a URL such as postgres://shop@db.example.com/shop; it is not shown.';
    expect(() => readConfig({ STORE: 'postgres', DATABASE_URL: 'shop:secret@db' })).toThrow(new ConfigError(message));
  });
});

describe('the engines of a team', () => {
  const notebook: TableEngine = {
    variable: 'NOTEBOOK',
    takes: 'the name of the database',
    catalogAge: 1000,
    open: () => BUILT_IN.tables.memory.open('', 'serving'),
  };
  const own = { tables: { notebook } };

  test('STORE names a team’s engine, whose own variable names the location', () => {
    expect(readConfig({ STORE: 'notebook', NOTEBOOK: 'shop' }, own).store).toEqual({
      name: 'notebook',
      place: 'shop',
      engine: notebook,
    });
  });

  test('an engine without its location is an error that says what the variable accepts', () => {
    expect(() => readConfig({ STORE: 'notebook' }, own)).toThrow(
      new ConfigError('NOTEBOOK takes the name of the database where STORE is notebook; it is not set.'),
    );
  });

  test('an unknown engine name is an error that lists the available ones', () => {
    expect(() => readConfig({ STORE: 'mysql' }, own)).toThrow(
      new ConfigError(`STORE takes one of ${TABLES}, notebook; it is "mysql".`),
    );
    expect(() => readConfig({ STORE: 'constructor' })).toThrow(`STORE takes one of ${TABLES};`);
  });

  test.each(['sqlite', 'folder'])('no team engine can be called %s', (name) => {
    expect(() => readConfig({}, { tables: { [name]: notebook } })).toThrow('give your own another name');
  });

  test.each(['p', 'Postgres', 'post gres', ''])('no team engine can be called "%s"', (name) => {
    expect(() => readConfig({}, { tables: { [name]: notebook } })).toThrow(RangeError);
  });
});
