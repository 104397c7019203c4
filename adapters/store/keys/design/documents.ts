import type { DesignDocument, DocumentVersion } from '../../../../domain/design/documents/document.ts';
import type { PackedBody } from '../../packed-body.ts';
import type { KeyOf, Partition, PartitionKey } from '../families.ts';
import { keyIn, padded } from '../shared.ts';

const DOCUMENTS = 'DOCUMENTS';
const PENDING = 'PENDINGREVIEWS';

/** The slugs of all documents, in order. */
export type DocumentList = { readonly slugs: readonly string[] };

/** The number of versions that wait for a review. */
export type PendingCount = { readonly count: number };

const partitionOf = (slug: string): PartitionKey => `DOCUMENT#${slug}`;
const documentKey = (slug: string): string => `DOCUMENT#${slug}`;

/** Keys of design documents, their versions and the versions in review. */
export const documentKeys = {
  document: (slug: string): KeyOf<DesignDocument> => ({ pk: DOCUMENTS, sk: documentKey(slug) }),
  documentsFrom: (slug: string): Partition<DesignDocument> => ({ pk: DOCUMENTS, from: documentKey(slug) }),
  documentList: (): KeyOf<DocumentList> => ({ pk: DOCUMENTS, sk: 'ALL' }),

  version: (slug: string, number: number) => keyIn<DocumentVersion>(partitionOf(slug), `VERSION#${padded(number)}`),
  versions: (slug: string): Partition<DocumentVersion> => ({ pk: partitionOf(slug), prefix: 'VERSION#' }),
  versionsUpTo: (slug: string, number: number): Partition<DocumentVersion> => ({
    pk: partitionOf(slug),
    from: `VERSION#${padded(1)}`,
    to: `VERSION#${padded(number)}`,
  }),
  body: (slug: string, number: number): KeyOf<PackedBody> => ({ pk: partitionOf(slug), sk: `BODY#${padded(number)}` }),
  /** A second copy of the current version, so that readers need not look up its number first. */
  current: (slug: string): KeyOf<DocumentVersion & PackedBody> => ({ pk: partitionOf(slug), sk: 'CURRENT' }),

  pendingCount: (): KeyOf<PendingCount> => ({ pk: PENDING, sk: 'COUNT' }),
  pendingList: (): Partition<DocumentVersion> => ({ pk: PENDING, prefix: 'SUBMITTED#' }),
  pending: ({ slug, number, submitted_at }: DocumentVersion) =>
    keyIn<DocumentVersion>(PENDING, `SUBMITTED#${submitted_at}#${slug}#${padded(number)}`),
};
