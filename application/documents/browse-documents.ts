import type { DesignDocument } from '../../domain/documents/document.ts';
import type { PageOf, PageRequest } from '../../domain/shared/paging.ts';
import type { Documents } from '../../ports/outbound/documents.ts';

/**
 * The documents for people who only read: those with an approved version, in the order of their slugs.
 *
 * A page that holds documents without an approved version has fewer entries; `total` counts them all.
 */
export const browseDocuments =
  ({ documents }: { documents: Documents }) =>
  async (request: PageRequest): Promise<PageOf<DesignDocument>> => {
    const page = await documents.page(request);
    return { ...page, entries: page.entries.filter(({ current_version }) => current_version > 0) };
  };

export type BrowseDocuments = ReturnType<typeof browseDocuments>;
