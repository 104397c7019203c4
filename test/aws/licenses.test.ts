import { onTestFinished } from 'vitest';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { licensesContract } from '../contracts/licenses.ts';
import { GRANTS, licensesOn } from '../support/licenses-at-work.ts';
import { newTable } from './support/tables.ts';

const [[kind, grants]] = GRANTS;

// The rules of the other kinds are the same on every engine: see test/adapters/stored-licenses.test.ts.
licensesContract(`StoredLicenses on DynamodbTable with ${kind}`, async () => {
  const table = new DynamodbTable(await newTable());
  onTestFinished(() => table.close());
  return licensesOn(table, grants);
});
