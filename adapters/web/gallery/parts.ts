import type {
  BrowseDocuments,
  BrowseVersions,
  ListPendingReviews,
  ShowDocument,
} from '../../../application/design/documents/browse.ts';
import type {
  ListApps,
  SearchScreens,
  ShowApp,
  ShowScreen,
  ShowTaxonomy,
} from '../../../application/design/gallery/browse.ts';

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

export type GalleryPagesSettings = {
  /**
   * The public address of the design host, without a slash at the end. It may have a path, below which the pages are.
   */
  readonly urls: { readonly design: string };
  readonly parts: GalleryPagesParts;
};
