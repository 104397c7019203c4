import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { FilesystemStoreFiles } from '../../adapters/filesystem/store-files.ts';
import { refuseDocument, type StoreToImport } from '../../application/store-document/import-store.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { checkForm } from '../../runtimes/files/load-document.ts';

/** Creates a folder with these files, which is removed after the test. */
export const aFolder = async (files: Readonly<Record<string, string>> = {}): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'store-folder-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await addFiles(folder, files);
  return folder;
};

export const addFiles = async (folder: string, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
};

type Entry = Readonly<Record<string, unknown>> & { readonly id: number };

const SINCE = '2025-01-01T00:00:00Z';

/** An entry of a store document with only the required fields. */
export const productEntry = (entry: Entry) => ({
  slug: `product-${entry.id}`,
  type: 'app',
  type_label: { en: 'App' },
  name: { en: `Product ${entry.id}` },
  unit_price_cents: 100,
  currency: 'USD',
  delivery: { strategy: 'binary' },
  created_at: SINCE,
  ...entry,
});

/** Version 1.0.0 of product 1, for any platform, from the file `tool.zip`. */
export const releaseEntry = (entry: Entry) => ({
  product_id: 1,
  version: '1.0.0',
  released_at: SINCE,
  artifacts: [{ file: 'tool.zip' }],
  ...entry,
});

export const accountEntry = (entry: Entry) => ({
  email: `buyer-${entry.id}@example.com`,
  created_at: SINCE,
  ...entry,
});

/** Imports a document of these sections with the files of the folder. */
export const importInto = async (
  service: Service,
  folder: string,
  parts: object,
  told: Pick<StoreToImport, 'progress' | 'warned'> = {},
) => {
  const checked = checkForm({ format: 1, ...parts });
  if ('faults' in checked) return refuseDocument(checked.faults);
  const files = new FilesystemStoreFiles(folder);
  return service.get('importStore')(grantPermit(), { document: checked.document, files, ...told });
};

/** Every fault of a refused import as `path: message`. */
export const faultLines = (outcome: {
  readonly ok: boolean;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}) => ((outcome.data?.['faults'] ?? []) as Fault[]).map(({ path, message }) => `${path}: ${message}`);
