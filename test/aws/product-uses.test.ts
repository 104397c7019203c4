import { afterAll } from 'vitest';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { StoredProductUses } from '../../adapters/store/product-uses.ts';
import { productUsesContract } from '../contracts/product-uses.ts';
import { newTable } from './support/tables.ts';

const tables: DynamodbTable[] = [];
afterAll(() => Promise.all(tables.map((table) => table.close())));

productUsesContract('StoredProductUses on DynamodbTable', async () => {
  const table = new DynamodbTable(await newTable());
  tables.push(table);
  return new StoredProductUses(table);
});
