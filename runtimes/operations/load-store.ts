import { dirname } from 'node:path';
import { FilesystemStoreFiles } from '../../adapters/filesystem/store-files.ts';
import type { StoreToImport } from '../../application/operations/check-store.ts';
import { type ImportCounts, refuseDocument } from '../../application/operations/import-store.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Service } from '../composition/service.ts';
import { checkForm } from './check-document.ts';
import { readJsonFile, type Unreadable } from './read-json-file.ts';

export type { Unreadable } from './read-json-file.ts';

const readStoreFile = async (file: string): Promise<Outcome<StoreToImport, Unreadable | 'invalid_document'>> => {
  const json = await readJsonFile(file, 'nothing was imported');
  if (!json.ok) return json;
  const checked = checkForm(json.value);
  return 'faults' in checked
    ? refuseDocument(checked.faults)
    : ok({ document: checked.document, files: new FilesystemStoreFiles(dirname(file)) });
};

/** Checks a store document from a file, with the files beside it, and writes nothing. Refuses it as the import would. */
export const checkStoreFile = async (
  service: Service,
  file: string,
): Promise<Outcome<null, Unreadable | 'invalid_document'>> => {
  const read = await readStoreFile(file);
  if (!read.ok) return read;
  const { faults } = await service.get('checkStore')(read.value);
  return faults.length > 0 ? refuseDocument(faults) : ok(null);
};

/**
 * Imports a store document from a file, with the files beside it. On a refusal nothing has changed. If the document is
 * JSON but has faults, `data.faults` has the path and message of each.
 */
export const loadStoreFile = async (
  service: Service,
  file: string,
  permit: Permit,
  { progress, warned }: Pick<StoreToImport, 'progress' | 'warned'> = {},
): Promise<Outcome<ImportCounts, Unreadable | 'invalid_document'>> => {
  const read = await readStoreFile(file);
  if (!read.ok) return read;
  const told = { ...(progress && { progress }), ...(warned && { warned }) };
  return service.get('importStore')(permit, { ...read.value, ...told });
};
