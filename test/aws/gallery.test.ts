import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dynamodbClient } from '../../adapters/dynamodb/client.ts';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoredGallery } from '../../adapters/store/design/gallery.ts';
import type { Table } from '../../adapters/store/table.ts';
import { NO_FILTER, type ScreenFilter } from '../../domain/design/gallery/screen.ts';
import { galleryContract } from '../contracts/gallery.ts';
import { createTable } from '../support/create-table.ts';
import { galleryOn } from '../support/gallery/gallery-on.ts';
import { meteredTable } from '../support/gallery/metered-table.ts';
import { galleryItems } from '../tools/costs/gallery-items.ts';
import { Meter } from '../tools/costs/meter.ts';
import { writeItems } from '../tools/costs/write-items.ts';
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

describe('the reads of a search among 1,000 screens', () => {
  const SCREENS = 1000;
  const name = `gallery-${randomUUID()}`;
  const client = dynamodbClient();
  const table = new DynamodbTable(name, client);
  const inMemory = new MemoryTable();
  let meter: Meter;

  beforeAll(async () => {
    tables.push(table);
    await createTable(client, name);
    meter = new Meter(client, dynamodbClient(), name);
    await writeItems(name, galleryItems(SCREENS));
    for (const item of galleryItems(SCREENS)) await inMemory.put(item);
  });

  const filters: [string, ScreenFilter, page: number][] = [
    ['no filter', NO_FILTER, 1],
    ['no filter, on the last page', NO_FILTER, 42],
    ['a viewport', { ...NO_FILTER, viewport: 'mobile' }, 2],
    ['a page type', { ...NO_FILTER, kind: 'list' }, 1],
    ['a word', { ...NO_FILTER, q: 'w40' }, 1],
    ['five filters', { ...NO_FILTER, viewport: 'mobile', lang: 'ko', kind: 'list', q: 'w3 w7' }, 1],
    ['a filter that no screen passes', { ...NO_FILTER, q: 'nowhere' }, 1],
  ];

  test.each(
    filters,
  )('a search by %s makes the DynamoDB calls that were computed in memory, and needs at most as many units', async (_, filter, page) => {
    const estimate = meteredTable(inMemory);
    const search = (on: Table) => {
      const gallery = new StoredGallery(on);
      return () => gallery.search(filter, 'newest', { page, per_page: 24 });
    };
    const [computed, asked] = [search(estimate.table), search(table)];
    for (const when of ['by a new process', 'again']) {
      const { units, ...expected } = await estimate.measure(computed);
      const { rounds, calls, readUnits } = await meter.measure(async () => void (await asked()));
      expect({ rounds, calls }, when).toEqual(expected);
      // The computed size of an item includes the maximum size of its other attributes.
      expect(units - readUnits, when).toBeGreaterThanOrEqual(0);
      expect(units - readUnits, when).toBeLessThanOrEqual(0.5);
    }
    expect(await asked()).toEqual(await computed());
  });
});
