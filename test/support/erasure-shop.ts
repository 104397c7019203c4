import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { FilesystemObjects } from '../../adapters/filesystem/filesystem-objects.ts';
import { openSqliteTable } from '../../adapters/sqlite/sqlite-table.ts';
import type { Entry, TableDump } from '../../adapters/store/table-dump.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { ObjectListing } from '../../ports/outbound/object-store.ts';
import type { Overrides } from '../../runtimes/composition/bootstrap.ts';
import { aProduct } from './builders.ts';
import { put } from './contents.ts';
import { fillAccount } from './full-account.ts';
import { memoryEngines } from './memory-engines.ts';
import { memoryService } from './service.ts';

const permit = grantPermit();

export const inMemory = async () => {
  const engines = memoryEngines();
  return { engines, objects: engines.objects, folder: undefined };
};

export const onDisk = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'erasure-'));
  const table = openSqliteTable(join(folder, 'store.db'));
  const objects = new FilesystemObjects(
    join(folder, 'objects'),
    new DownloadSignature({ secret: Buffer.alloc(32), baseUrl: '' }),
  );
  onTestFinished(async () => {
    await table.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { engines: { ...memoryEngines(), table, tableScan: table, objects }, objects, folder };
};

/** A store with two accounts that have every kind of record. Account 7 is Zaphod's. */
export const anErasureShop = async (open: typeof inMemory | typeof onDisk, overrides: Overrides = {}) => {
  const { engines, objects, folder } = await open();
  const service = memoryService(overrides, engines);
  await put(service, { products: [aProduct()] });
  const zaphod = await fillAccount(service, 7, 'zaphod');
  const trillian = await fillAccount(service, 8, 'trillian');
  const entries = async (): Promise<Entry[]> => {
    const all: Entry[] = [];
    let after: string | undefined;
    do {
      const page: Awaited<ReturnType<TableDump['dump']>> = await engines.table.dump(0, after);
      all.push(...page.entries);
      after = page.next;
    } while (after !== undefined);
    return all;
  };
  return {
    service,
    engines,
    objects: objects as ObjectListing,
    folder,
    zaphod,
    trillian,
    entries,
    erase: (input: { account_id?: number; trial?: boolean } = {}) =>
      service.get('eraseAccount')(permit, { account_id: 7, ...input }),
  };
};

export type ErasureShop = Awaited<ReturnType<typeof anErasureShop>>;

/** The entries, as lower-case JSON, that contain a text. */
export const naming = (entries: readonly Entry[], trace: string): string[] =>
  entries.map((entry) => JSON.stringify(entry).toLowerCase()).filter((text) => text.includes(trace.toLowerCase()));
