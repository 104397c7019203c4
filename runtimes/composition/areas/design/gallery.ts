import { StoredGallery } from '../../../../adapters/store/design/gallery.ts';
import { StoredGalleryEditor } from '../../../../adapters/store/design/gallery-editor.ts';
import {
  listApps,
  searchScreens,
  showApp,
  showScreen,
  showTaxonomy,
} from '../../../../application/design/gallery/browse.ts';
import { appView, screenFilterOf, screensView, screenView } from '../../../../application/design/gallery/views.ts';
import { ok } from '../../../../domain/shared/outcome.ts';
import * as designGallery from '../../../../ports/inbound/design/gallery.ts';
import type { Gallery, GalleryEditor } from '../../../../ports/outbound/design/gallery.ts';
import { area, onTable } from '../../area.ts';

/** Apps, flows and screens of the design host. */
export const gallery = area({
  parts: {
    gallery: onTable<Gallery>(StoredGallery),
    galleryEditor: (parts: ConstructorParameters<typeof StoredGalleryEditor>[0]): GalleryEditor =>
      new StoredGalleryEditor(parts),
    searchScreens,
    showScreen,
    showApp,
    listApps,
    showTaxonomy,
  },
  endpoints: designGallery,
  handlers: (use) => ({
    listScreens: async ({ query }) => {
      const { sort: order, cols, page } = query;
      const found = await use.searchScreens({ filter: screenFilterOf(query), order, cols, page });
      return ok(screensView(found, query, use.links));
    },
    getScreen: async ({ params }) => {
      const screen = await use.showScreen(params.id);
      return screen.ok ? ok({ data: screenView(screen.value, use.links) }) : screen;
    },
    getApp: async ({ params }) => {
      const app = await use.showApp(params.id);
      return app.ok ? ok({ data: appView(app.value, use.links) }) : app;
    },
    listPatterns: async () => ok({ data: (await use.showTaxonomy()).patterns }),
    getTaxonomy: async () => ok({ data: await use.showTaxonomy() }),
  }),
});
