import { afterAll } from 'vitest';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { bookOfSequences } from '../contracts/book.ts';
import { prefixed } from '../support/switched-table.ts';
import { newTable } from './support/tables.ts';

const table = new DynamodbTable(await newTable());
afterAll(() => table.close());

let runs = 0;
bookOfSequences('DynamodbTable', () => prefixed(table, `${++runs}/`), {
  most: 2,
  concurrent: true,
  equalMoments: false,
  oneOf: 4,
});
