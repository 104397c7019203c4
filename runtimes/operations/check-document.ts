import type { Fault } from '../../domain/shared/fault.ts';
import { StoreDocument } from '../../ports/inbound/operations/store-document.ts';
import type { StoreFiles } from '../../ports/outbound/store-files.ts';
import type { Service } from '../composition/service.ts';
import { documentFaults } from './document-faults.ts';
import { repairDocument } from './repair-document.ts';

/**
 * Checks the form of a store document. Returns the document, or all its faults: the faults of form, and the faults of
 * meaning in the rest of it.
 */
export const checkForm = async (
  service: Service,
  json: unknown,
  files: StoreFiles,
): Promise<{ readonly document: StoreDocument } | { readonly faults: readonly Fault[] }> => {
  const parsed = StoreDocument.safeParse(json);
  if (parsed.success) return { document: parsed.data };
  const faults = documentFaults(parsed.error.issues, json);
  return { faults: [...faults, ...(await furtherFaults(service, json, files, faults))] };
};

/**
 * The path that a fault of form makes doubtful: the faulty member itself, or the whole order or invoice around it,
 * because its sums depend on every amount.
 */
const reachOf = (path: string): string => /^accounts\.\d+\.(?:orders|invoices)\.\d+/.exec(path)?.[0] ?? path;

/**
 * The faults of meaning in a document with faults of form. It skips the paths that the faults of form make doubtful.
 */
const furtherFaults = async (
  service: Service,
  json: unknown,
  files: StoreFiles,
  known: readonly Fault[],
): Promise<Fault[]> => {
  const document = repairDocument(json);
  if (!document) return [];
  const { faults } = await service.get('checkStore')({ document, files });
  return faults.filter(({ path }) => !known.some((one) => `${path}.`.startsWith(`${reachOf(one.path)}.`)));
};
