import type { DesignDocument, DocumentVersion } from '../../domain/documents/document.ts';
import { isSlug } from '../../domain/documents/slug.ts';
import type { PageOf, PageRequest } from '../../domain/shared/paging.ts';
import type { Documents } from '../../ports/outbound/documents.ts';

/** A document with a page of its versions. */
export type BrowsedVersions = { readonly document: DesignDocument; readonly versions: PageOf<DocumentVersion> };

/** A document's versions for people who only read, newest first, without the drafts. */
export class BrowseVersions {
  readonly #documents: Documents;

  constructor({ documents }: { documents: Documents }) {
    this.#documents = documents;
  }

  /** Null for a document that has none but drafts. A page with drafts has fewer entries; `total` counts them all. */
  async execute(slug: string, request: PageRequest): Promise<BrowsedVersions | null> {
    if (!isSlug(slug)) return null;
    const [{ document }, page] = await Promise.all([
      this.#documents.get(slug),
      this.#documents.versions({ slug }, request),
    ]);
    const versions = { ...page, entries: page.entries.filter(({ state }) => state !== 'draft') };
    if (!document || (document.current_version === 0 && versions.entries.length === 0)) return null;
    return { document, versions };
  }
}
