import { galleryHandlers } from '../../../adapters/pipeline/handlers/gallery.ts';
import { StoredGallery } from '../../../adapters/store/gallery.ts';
import { StoredGalleryEditor } from '../../../adapters/store/gallery-editor.ts';
import { listApps } from '../../../application/gallery/list-apps.ts';
import { listPatterns } from '../../../application/gallery/list-patterns.ts';
import { searchScreens } from '../../../application/gallery/search-screens.ts';
import { showApp } from '../../../application/gallery/show-app.ts';
import { showScreen } from '../../../application/gallery/show-screen.ts';
import { showTaxonomy } from '../../../application/gallery/show-taxonomy.ts';
import * as designGallery from '../../../ports/inbound/design/gallery.ts';
import type { Gallery, GalleryEditor } from '../../../ports/outbound/gallery.ts';
import { onTable } from '../area.ts';

/** Apps, flows and screens of the design host. */
export const gallery = {
  parts: {
    gallery: onTable<Gallery>(StoredGallery),
    galleryEditor: (parts: ConstructorParameters<typeof StoredGalleryEditor>[0]): GalleryEditor =>
      new StoredGalleryEditor(parts),
    searchScreens,
    showScreen,
    showApp,
    listApps,
    showTaxonomy,
    listPatterns,
  },
  endpoints: designGallery,
  handlers: galleryHandlers,
};
