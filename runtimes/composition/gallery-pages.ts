import type { DocumentParts, GalleryPagesParts } from '../../adapters/web/gallery/parts.ts';
import type { Service } from './service.ts';

/** The parts of a service from which those of the pages are made. */
export type GallerySources = Omit<GalleryPagesParts, 'documents'> & DocumentParts;

/** The parts of a service that the gallery's pages call, with or without the documents. */
export const galleryPagesParts = ({ get }: Service<GallerySources>, hasDocuments: boolean): GalleryPagesParts => ({
  listApps: get('listApps'),
  searchScreens: get('searchScreens'),
  showApp: get('showApp'),
  showScreen: get('showScreen'),
  showTaxonomy: get('showTaxonomy'),
  documents: hasDocuments
    ? {
        browseDocuments: get('browseDocuments'),
        browseVersions: get('browseVersions'),
        listPendingReviews: get('listPendingReviews'),
        showDocument: get('showDocument'),
      }
    : null,
});
