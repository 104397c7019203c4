import { searchScreens, showApp, showScreen, showTaxonomy } from '../../../../application/design/gallery/browse.ts';
import { appView, screenFilterOf, screensView, screenView } from '../../../../application/design/gallery/views.ts';
import { ok } from '../../../../domain/shared/outcome.ts';
import * as designGallery from '../../../../ports/inbound/design/gallery.ts';
import { handling } from '../handling.ts';

export const galleryHandlers = handling(designGallery, { searchScreens, showScreen, showApp, showTaxonomy }, (use) => ({
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
}));
