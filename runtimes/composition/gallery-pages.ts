import type { DocumentParts, GalleryPagesParts } from '../../adapters/web/gallery/parts.ts';
import type { Service } from './service.ts';

type FromService = Omit<GalleryPagesParts, 'documents'> & DocumentParts & { readonly showsDocuments: boolean };

/** The parts of a service that the gallery's pages call. */
export const galleryPagesParts = ({ get }: Service<FromService>): GalleryPagesParts => ({
  limitRate: get('limitRate'),
  listApps: get('listApps'),
  searchScreens: get('searchScreens'),
  showApp: get('showApp'),
  showScreen: get('showScreen'),
  showTaxonomy: get('showTaxonomy'),
  documents: get('showsDocuments')
    ? {
        browseDocuments: get('browseDocuments'),
        browseVersions: get('browseVersions'),
        listPendingReviews: get('listPendingReviews'),
        showDocument: get('showDocument'),
      }
    : null,
});
