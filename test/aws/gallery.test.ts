import { afterAll } from 'vitest';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { galleryContract } from '../contracts/gallery.ts';
import { galleryOn } from '../support/gallery/gallery-on.ts';
import { newTable } from './support/tables.ts';

const tables: DynamodbTable[] = [];
afterAll(() => Promise.all(tables.map((table) => table.close())));

galleryContract(
  'StoredGallery on DynamodbTable',
  async () => {
    const table = new DynamodbTable(await newTable());
    tables.push(table);
    return galleryOn(table);
  },
  { timeout: 60_000 },
);
