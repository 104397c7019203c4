import { galleryHandlers } from '../../../adapters/pipeline/handlers/gallery.ts';
import { StoredGallery } from '../../../adapters/store/gallery.ts';
import { StoredGalleryEditor } from '../../../adapters/store/gallery-editor.ts';
import { ListApps } from '../../../application/gallery/list-apps.ts';
import { ListPatterns } from '../../../application/gallery/list-patterns.ts';
import { SearchScreens } from '../../../application/gallery/search-screens.ts';
import { ShowApp } from '../../../application/gallery/show-app.ts';
import { ShowScreen } from '../../../application/gallery/show-screen.ts';
import { ShowTaxonomy } from '../../../application/gallery/show-taxonomy.ts';
import * as designGallery from '../../../ports/inbound/design/gallery.ts';
import type { Gallery, GalleryEditor } from '../../../ports/outbound/gallery.ts';
import { onTable, part } from '../area.ts';

/** Apps, flows and screens of the design host. */
export const gallery = {
  parts: {
    gallery: onTable<Gallery>(StoredGallery),
    galleryEditor: (parts: ConstructorParameters<typeof StoredGalleryEditor>[0]): GalleryEditor =>
      new StoredGalleryEditor(parts),
    searchScreens: part(SearchScreens),
    showScreen: part(ShowScreen),
    showApp: part(ShowApp),
    listApps: part(ListApps),
    showTaxonomy: part(ShowTaxonomy),
    listPatterns: part(ListPatterns),
  },
  endpoints: designGallery,
  handlers: galleryHandlers,
};
