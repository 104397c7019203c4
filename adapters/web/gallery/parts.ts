import type * as documents from '../../../application/design/documents/browse.ts';
import type * as gallery from '../../../application/design/gallery/browse.ts';
import type { Made } from '../../../application/shared/use-cases.ts';

/**
 * The use cases that read design documents. Those of agents also show the author's own drafts; these have no author.
 */
export type DocumentParts = Made<
  Pick<typeof documents, 'browseDocuments' | 'browseVersions' | 'listPendingReviews' | 'showDocument'>
>;

/** The use cases that the pages call, under the names of the service's parts. The pages write nothing. */
export type GalleryPagesParts = Made<
  Pick<typeof gallery, 'listApps' | 'searchScreens' | 'showApp' | 'showScreen' | 'showTaxonomy'>
>;

export type GalleryPagesSettings = {
  /**
   * The public URLs of the design host and of the hosts that its root names, without a trailing slash. The path of the
   * design host, if any, is the root of the pages.
   */
  readonly urls: Readonly<Record<'design' | 'api' | 'account', string>>;
  readonly parts: GalleryPagesParts;
  /** Null if pages show no documents. */
  readonly documents: DocumentParts | null;
};
