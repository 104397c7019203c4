import type * as documents from '../../../application/design/documents/browse.ts';
import type * as gallery from '../../../application/design/gallery/browse.ts';
import type { Made } from '../../../application/shared/use-cases.ts';

/**
 * The use cases that read design documents. Those for agents hide the drafts of others, and here nobody is the author.
 */
export type DocumentParts = Made<
  Pick<typeof documents, 'browseDocuments' | 'browseVersions' | 'listPendingReviews' | 'showDocument'>
>;

/** The use cases that the pages call, by the names of the service's parts. The pages write nothing. */
export type GalleryPagesParts = Made<
  Pick<typeof gallery, 'listApps' | 'searchScreens' | 'showApp' | 'showScreen' | 'showTaxonomy'>
>;

export type GalleryPagesSettings = {
  /**
   * The public address of the design host, without a slash at the end. It may have a path, below which the pages are.
   */
  readonly urls: { readonly design: string };
  readonly parts: GalleryPagesParts;
  /** Null if pages show no documents. */
  readonly documents: DocumentParts | null;
};
