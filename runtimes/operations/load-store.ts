import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FilesystemStoreFiles } from '../../adapters/filesystem/store-files.ts';
import type { ImportCounts } from '../../application/operations/import-counts.ts';
import { refuseDocument } from '../../application/operations/import-store.ts';
import type { Progress } from '../../application/operations/progress.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { StoreDocument } from '../../ports/inbound/store-document.ts';
import type { Service } from '../composition/bootstrap.ts';
import { documentFaults } from './document-faults.ts';
import { parseJson } from './parse-json.ts';
import { repairDocument } from './repair-document.ts';

/** A document is text; its files, which may be as large as they like, lie beside it. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

type Unreadable = 'unreadable_document' | 'malformed_json';

const readText = async (file: string): Promise<Outcome<string, Unreadable>> => {
  const unreadable = (why: string) =>
    refuse('unreadable_document', { message: `${file} ${why}; nothing was imported.` });
  try {
    await using handle = await open(file, 'r');
    const { size } = await handle.stat();
    if (size > MAX_DOCUMENT_BYTES) return unreadable('is larger than 64 MiB, the most that a document may be');
    return ok(await handle.readFile('utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return unreadable(code === 'ENOENT' ? 'does not exist' : `can't be read (${code})`);
  }
};

/**
 * Imports a store document from a file, with the files beside it. Refused with a message, and with `data.faults` (path
 * and message of each) where the document is JSON but not right; then nothing has changed.
 */
export const loadStoreFile = async (
  service: Service,
  file: string,
  { progress }: { progress?: Progress } = {},
): Promise<Outcome<ImportCounts, Unreadable | 'invalid_document'>> => {
  const text = await readText(file);
  if (!text.ok) return text;
  const json = parseJson(text.value);
  if (!json.ok) return { ...json, message: `${file} is no JSON, ${json.message}; nothing was imported.` };
  const files = new FilesystemStoreFiles(dirname(file));
  const parsed = StoreDocument.safeParse(json.value);
  if (!parsed.success) {
    const faults = documentFaults(parsed.error.issues, json.value);
    return refuseDocument([...faults, ...(await furtherFaults(service, json.value, files, faults))]);
  }
  return service.get('importStore').execute({ document: parsed.data, files, ...(progress && { progress }) });
};

/** What else is wrong with a document whose form has faults. */
const furtherFaults = async (
  service: Service,
  input: unknown,
  files: FilesystemStoreFiles,
  known: readonly Fault[],
): Promise<Fault[]> => {
  const document = repairDocument(input);
  if (!document) return [];
  const { faults } = await service.get('checkStore').execute({ document, files });
  return faults.filter(({ path }) => !known.some((one) => `${path}.`.startsWith(`${one.path}.`)));
};
