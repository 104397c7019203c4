import type { Permit } from '../../domain/access/permit.ts';
import type { DesignDocument, DocumentText, DocumentVersion } from '../../domain/documents/document.ts';
import type { PageOf, PageRequest } from '../../domain/shared/paging.ts';

/** Records as they were read; a `version` is null where there was none. */
export type ReadDocument = { readonly document: DesignDocument | undefined; readonly version: string | null };
export type ReadVersion = { readonly version: DocumentVersion; readonly stored: string };

/** Design documents and their versions. */
export interface Documents {
  get(slug: string): Promise<ReadDocument>;
  /** A version without its body. */
  version(slug: string, number: number): Promise<ReadVersion | undefined>;
  text(slug: string, number: number): Promise<DocumentText | undefined>;
  /** In the order of slugs. */
  page(request: PageRequest): Promise<PageOf<DesignDocument>>;
  /** Newest first, drafts included. */
  versions(document: DesignDocument, request: PageRequest): Promise<PageOf<DocumentVersion>>;
  /** The versions that wait for a verdict, those submitted first coming first. */
  pending(request: PageRequest): Promise<PageOf<DocumentVersion>>;
  /** The number of documents, and of versions that wait for a verdict. */
  counts(): Promise<{ readonly documents: number; readonly pending: number }>;

  /** Adds a version and writes the document; false, with nothing written, where the document has changed since it was read. */
  addVersion(permit: Permit, document: DesignDocument, text: DocumentText, read: ReadDocument): Promise<boolean>;
  /** Puts a version up for review; false where it has changed since it was read. */
  submit(permit: Permit, version: DocumentVersion, read: ReadVersion): Promise<boolean>;
  /**
   * Records a verdict, and the document where it makes another version the current one; false, with nothing written,
   * where the version or the document has changed since it was read.
   */
  review(
    permit: Permit,
    change: { readonly version: DocumentVersion; readonly document: DesignDocument },
    read: { readonly version: ReadVersion; readonly document: ReadDocument },
  ): Promise<boolean>;
}
