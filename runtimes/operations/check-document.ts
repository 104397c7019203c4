import type { Fault } from '../../domain/shared/fault.ts';
import { StoreDocument } from '../../ports/inbound/store-document.ts';
import type { StoreFiles } from '../../ports/outbound/store-files.ts';
import type { Service } from '../composition/bootstrap.ts';
import { documentFaults } from './document-faults.ts';
import { repairDocument } from './repair-document.ts';

/** A document whose form is right, or else everything that is wrong with it, of form and of sense. */
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

/** What a fault of form makes doubtful: itself, and with an amount of an order or invoice every sum of that. */
const reachOf = (path: string): string => /^accounts\.\d+\.(?:orders|invoices)\.\d+/.exec(path)?.[0] ?? path;

/** What else is wrong with a document whose form has faults. */
const furtherFaults = async (
  service: Service,
  json: unknown,
  files: StoreFiles,
  known: readonly Fault[],
): Promise<Fault[]> => {
  const document = repairDocument(json);
  if (!document) return [];
  const { faults } = await service.get('checkStore').execute({ document, files });
  return faults.filter(({ path }) => !known.some((one) => `${path}.`.startsWith(`${reachOf(one.path)}.`)));
};
