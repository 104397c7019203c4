import type { DocumentVersion } from '../../domain/documents/document.ts';
import { listedVersions } from '../../domain/documents/version-life.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import { type PagedList, type PageRequest, pagedList } from '../../domain/shared/paging.ts';
import type { Documents } from '../../ports/outbound/documents.ts';
import type { Links } from '../../ports/outbound/links.ts';

/** The versions of a document, newest first, without their bodies. */
export const listDocumentVersions =
  ({ documents, links }: { documents: Documents; links: Links }) =>
  async (slug: string, { page, per_page }: PageRequest): Promise<Outcome<PagedList<DocumentVersion>, 'not_found'>> => {
    const listed = listedVersions(slug, await documents.versions({ slug }, { page, per_page }));
    if (!listed.ok) return listed;
    const path = links.design(`/api/agent/docs/${slug}/versions`);
    return ok(pagedList(listed.value, { path, query: { per_page: String(per_page) } }));
  };

export type ListDocumentVersions = ReturnType<typeof listDocumentVersions>;
