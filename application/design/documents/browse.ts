import { type DesignDocument, type DocumentVersion, isSlug } from '../../../domain/design/documents/document.ts';
import { inPathOrder, packageLines } from '../../../domain/design/documents/skill.ts';
import { listedVersions, readable } from '../../../domain/design/documents/version-life.ts';
import { type Outcome, ok } from '../../../domain/shared/outcome.ts';
import { type PagedList, type PageOf, type PageRequest, pagedList } from '../../../domain/shared/paging.ts';
import type { Documents } from '../../../ports/outbound/design/documents.ts';
import type { Links } from '../../../ports/outbound/links.ts';
import type { Needs } from '../../../ports/outbound/needs.ts';

/**
 * A document with one of its versions. Drafts are hidden.
 *
 * `number` is null for the current version.
 */
export const showDocument = ({ documents }: { documents: Documents }) =>
  async function showDocument(slug: string, number: number | null) {
    if (number === null) {
      const { document, text } = await documents.current(slug);
      return readable({ slug, number }, document, text);
    }
    const [{ document }, text] = await Promise.all([documents.get(slug), documents.text(slug, number)]);
    return readable({ slug, number }, document, text);
  };

/**
 * The documents for readers: those with an approved version, in the order of their slugs.
 *
 * A page has fewer entries if some of its documents have no approved version; `total` counts them all.
 */
export const browseDocuments = ({ documents }: { documents: Documents }) =>
  async function browseDocuments(request: PageRequest): Promise<PageOf<DesignDocument>> {
    const page = await documents.page(request);
    return { ...page, entries: page.entries.filter(({ current_version }) => current_version > 0) };
  };

export type BrowsedVersions = { readonly document: DesignDocument; readonly versions: PageOf<DocumentVersion> };

/**
 * A document's versions for readers, newest first, without drafts.
 *
 * Null if the document has only drafts. A page with drafts has fewer entries; `total` counts them all.
 */
export const browseVersions = ({ documents }: { documents: Documents }) =>
  async function browseVersions(slug: string, request: PageRequest): Promise<BrowsedVersions | null> {
    if (!isSlug(slug)) return null;
    const [{ document }, page] = await Promise.all([documents.get(slug), documents.versions({ slug }, request)]);
    const versions = { ...page, entries: page.entries.filter(({ state }) => state !== 'draft') };
    if (!document || (document.current_version === 0 && versions.entries.length === 0)) return null;
    return { document, versions };
  };

/** The versions of a document, newest first, without their bodies. */
export const listDocumentVersions = ({ documents, links }: { documents: Documents; links: Links }) =>
  async function listDocumentVersions(
    slug: string,
    { page, per_page }: PageRequest,
  ): Promise<Outcome<PagedList<DocumentVersion>, 'not_found'>> {
    const listed = listedVersions(slug, await documents.versions({ slug }, { page, per_page }));
    if (!listed.ok) return listed;
    const path = links.design(`/api/agent/docs/${slug}/versions`);
    return ok(pagedList(listed.value, { path, query: { per_page: String(per_page) } }));
  };

/** The versions that wait for a review, in the order of their submission. */
export const listPendingReviews = ({ documents, links }: { documents: Documents; links: Links }) =>
  async function listPendingReviews({ page, per_page }: PageRequest): Promise<PagedList<DocumentVersion>> {
    const path = links.design('/api/agent/reviews/pending');
    return pagedList(await documents.pending({ page, per_page }), { path, query: { per_page: String(per_page) } });
  };

type Ports = Needs<'digest' | 'documents' | 'links' | 'skillPackage'>;

/** The design documents, page by page, and the files of the skill package with their URLs and hashes. */
export const showManifest = ({ documents, skillPackage, digest, links }: Ports) =>
  async function showManifest({ page, per_page }: PageRequest) {
    const [listed, { name, version, files }] = await Promise.all([
      documents.page({ page, per_page }),
      skillPackage.read(),
    ]);
    const address = { path: links.design('/api/agent/manifest'), query: { per_page: String(per_page) } };
    return {
      ...pagedList<DesignDocument>(listed, address),
      skill: {
        name,
        version,
        sha256: digest.sha256(packageLines(files)),
        size: files.reduce((sum, { size }) => sum + size, 0),
        files: inPathOrder(files).map(({ path, sha256, size }) => ({
          path,
          sha256,
          size,
          download_url: links.design(`/skill/${path}`),
        })),
      },
    };
  };
