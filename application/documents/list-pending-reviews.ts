import type { DocumentVersion } from '../../domain/documents/document.ts';
import { type PagedList, type PageRequest, pagedList } from '../../domain/shared/paging.ts';
import type { Documents } from '../../ports/outbound/documents.ts';
import type { Links } from '../../ports/outbound/links.ts';

/** The versions that wait for a verdict, those submitted first coming first. */
export const listPendingReviews =
  ({ documents, links }: { documents: Documents; links: Links }) =>
  async ({ page, per_page }: PageRequest): Promise<PagedList<DocumentVersion>> => {
    const path = links.design('/api/agent/reviews/pending');
    return pagedList(await documents.pending({ page, per_page }), { path, query: { per_page: String(per_page) } });
  };

export type ListPendingReviews = ReturnType<typeof listPendingReviews>;
