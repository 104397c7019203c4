import type { BrowseDocuments } from '../../../application/documents/browse-documents.ts';
import type { BrowseVersions } from '../../../application/documents/browse-versions.ts';
import type { ListPendingReviews } from '../../../application/documents/list-pending-reviews.ts';
import type { ShowDocument } from '../../../application/documents/show-document.ts';
import type { ListApps } from '../../../application/gallery/list-apps.ts';
import type { SearchScreens } from '../../../application/gallery/search-screens.ts';
import type { ShowApp } from '../../../application/gallery/show-app.ts';
import type { ShowScreen } from '../../../application/gallery/show-screen.ts';
import type { ShowTaxonomy } from '../../../application/gallery/show-taxonomy.ts';

/**
 * The use cases that read design documents. Those for agents hide the drafts of others, and here nobody is the author.
 */
export type DocumentParts = {
  readonly browseDocuments: BrowseDocuments;
  readonly browseVersions: BrowseVersions;
  readonly listPendingReviews: ListPendingReviews;
  readonly showDocument: ShowDocument;
};

/** The use cases that the pages call, by the names of the service's parts. The pages write nothing. */
export type GalleryPagesParts = {
  readonly listApps: ListApps;
  readonly searchScreens: SearchScreens;
  readonly showApp: ShowApp;
  readonly showScreen: ShowScreen;
  readonly showTaxonomy: ShowTaxonomy;
  /** Null where pages show no documents. */
  readonly documents: DocumentParts | null;
};

/** The settings of the pages. */
export type GalleryPagesSettings = {
  /**
   * The public address of the design host, without a slash at the end. It may have a path, below which the pages are.
   */
  readonly urls: { readonly design: string };
  readonly parts: GalleryPagesParts;
};
