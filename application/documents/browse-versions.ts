import type { DesignDocument, DocumentVersion } from '../../domain/documents/document.ts';
import { isSlug } from '../../domain/documents/slug.ts';
import type { PageOf, PageRequest } from '../../domain/shared/paging.ts';
import type { Documents } from '../../ports/outbound/documents.ts';

/** A document with a page of its versions. */
export type BrowsedVersions = { readonly document: DesignDocument; readonly versions: PageOf<DocumentVersion> };

/**
 * A document's versions for people who only read, newest first, without the drafts.
 *
 * Null for a document that has none but drafts. A page with drafts has fewer entries; `total` counts them all.
 */
export const browseVersions =
  ({ documents }: { documents: Documents }) =>
  async (slug: string, request: PageRequest): Promise<BrowsedVersions | null> => {
    if (!isSlug(slug)) return null;
    const [{ document }, page] = await Promise.all([documents.get(slug), documents.versions({ slug }, request)]);
    const versions = { ...page, entries: page.entries.filter(({ state }) => state !== 'draft') };
    if (!document || (document.current_version === 0 && versions.entries.length === 0)) return null;
    return { document, versions };
  };

export type BrowseVersions = ReturnType<typeof browseVersions>;
