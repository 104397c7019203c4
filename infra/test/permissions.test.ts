import { describe, expect, test } from 'vitest';
import { COUNTERS, ESCAPED } from '../../adapters/dynamodb/partitions.ts';
import { MOVED } from '../../adapters/store/account-move.ts';
import { FAMILIES } from '../../adapters/store/keys/families.ts';
import { FUNCTIONS, type FunctionName } from '../bundles/functions.ts';
import { type Asked, isAllowed } from './iam/evaluate.ts';
import { placesOf, policiesOf, statementsByFunction } from './iam/policies.ts';
import { synthesized } from './synthesized.ts';

/**
 * The maximum length of all inline policies of a role (IAM user guide, "IAM and AWS STS quotas"). Spaces do not count.
 */
const MOST_CHARACTERS = 10_240;

const prod = synthesized({ stage: 'prod' });
const statements = statementsByFunction(prod);
const places = placesOf(prod);

/** A call on the table that names these partitions. */
const onTable = (action: string, ...keys: string[]): Asked => ({
  action: `dynamodb:${action}`,
  resource: places.table,
  context: keys.length === 0 ? {} : { 'dynamodb:LeadingKeys': keys },
});
const onFile = (action: string, key: string): Asked => ({
  action: `s3:${action}`,
  resource: `${places.files}/${key}`,
  context: {},
});
const onList = (prefix?: string): Asked => ({
  action: 's3:ListBucket',
  resource: places.bucket,
  context: prefix === undefined ? {} : { 's3:prefix': [prefix] },
});

const may = (name: FunctionName, asked: Asked): boolean => isAllowed(statements[name], asked);

describe('permissions of the functions on the table', () => {
  test('no function may use the table without naming a partition, but the functions that erase accounts may scan it', () => {
    const actions = ['Scan', 'Query', 'GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'DeleteTable'];
    for (const name of FUNCTIONS) {
      for (const action of [...actions, 'PartiQLSelect'])
        expect(may(name, onTable(action)), `${name} ${action}`).toBe(
          ['mail', 'shop'].includes(name) && action === 'Scan',
        );
    }
  });

  test.each<[FunctionName, string, string]>([
    ['api', 'GetItem', 'KEY#0123'],
    ['api', 'Query', 'CATALOG'],
    ['api', 'PutItem', 'ACCOUNT#17'],
    ['api', 'ConditionCheckItem', 'ACCOUNT#17'],
    ['api', 'UpdateItem', 'COUNTER#RATE#account:17'],
    ['downloads', 'PutItem', 'KEY#0123'],
    ['mcp', 'GetItem', 'OAUTH#access#0123'],
    ['account', 'DeleteItem', 'SESSION#0123'],
    ['mail', 'DeleteItem', 'REPLAY#7#0123'],
    ['replay', 'DeleteItem', 'JOBS'],
    ['media', 'BatchGetItem', 'GALLERY#DETAIL#1'],
    ['reference', 'UpdateItem', 'COUNTER#RATE#address'],
  ])('the function %s may %s on %s', (name, action, key) => {
    expect(may(name, onTable(action, key))).toBe(true);
  });

  test.each<[FunctionName, string, string]>([
    ['reference', 'GetItem', 'ACCOUNT#17'],
    ['reference', 'UpdateItem', 'COUNTER#DAILY#installs#17'],
    ['media', 'PutItem', 'ACCOUNT#17'],
    ['account', 'DeleteItem', 'TICKET#1'],
    ['account', 'DeleteItem', 'UPSTREAM#0123'],
    ['account', 'PutItem', 'SALE#1'],
    ['media', 'GetItem', 'KEY#0123'],
    ['media', 'PutItem', 'GALLERY#DETAIL#1'],
    ['downloads', 'PutItem', 'KEYID#1'],
    ['downloads', 'DeleteItem', 'KEY#0123'],
    ['downloads', 'PutItem', 'CATALOG'],
    ['downloads', 'GetItem', 'EMAIL#buyer@example.com'],
    ['design', 'GetItem', 'KEY#0123'],
    ['design', 'Query', 'ACCOUNT#17'],
    ['design', 'PutItem', 'ACCOUNT#17'],
    ['design', 'PutItem', 'AGENT#0123'],
    ['design', 'PutItem', 'GALLERY'],
    ['replay', 'GetItem', 'ACCOUNT#17'],
    ['app', 'PutItem', 'RELEASE#1'],
    ['api', 'PutItem', 'CATALOG'],
    ['api', 'PutItem', 'PRODUCT#1'],
    ['api', 'PutItem', 'OWNER#ORDER#1'],
    ['api', 'GetItem', 'SESSION#0123'],
    ['api', 'GetItem', 'AUDIT#2026-01#1'],
    ['api', 'DeleteItem', 'AUDIT#2026-01#1'],
    ['api', 'UpdateItem', 'ACCOUNT#17'],
    ['mcp', 'PutItem', 'OAUTH#access#0123'],
    ['account', 'PutItem', 'CATALOG'],
    ['account', 'DeleteItem', 'AUDIT#2026-01#1'],
    ['account', 'Query', 'ACCOUNTS#1'],
    ['account', 'DeleteItem', 'OWNER#ORDER#1'],
  ])('the function %s may not %s on %s', (name, action, key) => {
    expect(may(name, onTable(action, key))).toBe(false);
  });

  test('a permitted partition does not permit another one in the same call', () => {
    expect(may('media', onTable('BatchGetItem', 'GALLERY#DETAIL#1', 'GALLERY#CARDS#2'))).toBe(true);
    expect(may('media', onTable('BatchGetItem', 'GALLERY#DETAIL#1', 'ACCOUNT#17'))).toBe(false);
  });

  test('the functions that complete merges of accounts may read and rewrite everything that a merge moves', () => {
    const families = FAMILIES.filter((family) => MOVED.test(family));
    expect(families).toContain('FAILEDMESSAGES');
    for (const name of ['mail', 'shop'] as const)
      for (const action of ['GetItem', 'PutItem'])
        for (const family of families)
          expect(may(name, onTable(action, family.replace('*', '1'))), `${name} ${action} ${family}`).toBe(true);
  });

  test('a counter’s permission does not cover an item of the same name', () => {
    expect(may('api', onTable('UpdateItem', 'COUNTER#TICKET#1'))).toBe(true);
    expect(may('api', onTable('UpdateItem', 'TICKET#1'))).toBe(false);
    expect(may('api', onTable('PutItem', 'COUNTER#TICKET#1'))).toBe(false);
    expect(FAMILIES.filter((family) => family.startsWith(COUNTERS) || family.startsWith(ESCAPED))).toEqual([]);
  });

  test('the policies of each role stay within the IAM limit', () => {
    for (const name of FUNCTIONS) {
      // AWS's own names are represented by strings of up to 130 characters.
      const texts = policiesOf(prod, name).map((document) =>
        JSON.stringify(document).replaceAll(/\{"(?:Fn::\w+|Ref)":.*?\}\}?/g, 'x'.repeat(130)),
      );
      expect(texts.join('').length, name).toBeLessThan(MOST_CHARACTERS);
    }
  });
});

describe('permissions of the functions on the files', () => {
  test('no function may list the bucket without a prefix, or under a prefix with others’ files', () => {
    for (const name of FUNCTIONS) {
      for (const prefix of [undefined, '', 'objects/', 'objects/design', 'incoming/', 'logs/'])
        expect(may(name, onList(prefix)), `${name} ${prefix}`).toBe(false);
    }
  });

  test('a function may list the files that it looks for, and the doctor’s function its probe prefix', () => {
    const lists = (prefix: string) => FUNCTIONS.filter((name) => may(name, onList(prefix)));
    expect(lists('objects/sha256/0123')).toEqual(['downloads', 'shop']);
    expect(lists('objects/reports/2026-01-01/0123')).toEqual(['account', 'api', 'shop']);
    expect(lists('objects/design/0123')).toEqual(['design', 'media', 'replay']);
    for (const prefix of ['ping/', 'objects/doctor/probe']) expect(lists(prefix)).toEqual(['shop']);
  });

  test('each folder has its readers and writers, no function removes a published file, and only the shop host adds one', () => {
    const whoMay = (action: string, key: string) => FUNCTIONS.filter((name) => may(name, onFile(action, key)));
    const [published, report, design] = ['objects/sha256/01', 'objects/reports/2026/01', 'objects/design/01'];
    expect(whoMay('GetObject', published)).toEqual(['account', 'api', 'app', 'downloads', 'mcp', 'shop']);
    expect(whoMay('PutObject', published)).toEqual(['shop']);
    expect(whoMay('DeleteObject', published)).toEqual([]);
    expect(whoMay('GetObject', report)).toEqual(['account', 'api', 'shop']);
    expect(whoMay('PutObject', report)).toEqual(['account', 'api', 'shop']);
    expect(whoMay('DeleteObject', report)).toEqual(['account', 'api', 'mail', 'shop']);
    expect(whoMay('GetObject', design)).toEqual(['design', 'media', 'replay']);
    expect(whoMay('PutObject', design)).toEqual(['design', 'replay']);
    expect(whoMay('AbortMultipartUpload', design)).toEqual(['replay']);
    expect(whoMay('DeleteObject', design)).toEqual([]);
    for (const action of ['GetObject', 'PutObject']) expect(whoMay(action, 'incoming/01')).toEqual([]);
  });
});
