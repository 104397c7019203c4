import { onTestFinished } from 'vitest';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { licensesContract } from '../contracts/licenses.ts';
import { GRANTS, licensesOn } from '../support/licenses-at-work.ts';
import { newTable } from './support/tables.ts';

for (const [kind, grants] of GRANTS) {
  licensesContract(`StoredLicenses on DynamodbTable with ${kind}`, async () => {
    const table = new DynamodbTable(await newTable());
    onTestFinished(() => table.close());
    return licensesOn(table, grants);
  });
}
