import type { ListPatterns } from '../../../application/gallery/list-patterns.ts';
import { screenFilterOf } from '../../../application/gallery/screen-filter.ts';
import type { SearchScreens } from '../../../application/gallery/search-screens.ts';
import type { ShowApp } from '../../../application/gallery/show-app.ts';
import type { ShowScreen } from '../../../application/gallery/show-screen.ts';
import type { ShowTaxonomy } from '../../../application/gallery/show-taxonomy.ts';
import { appView, screensView, screenView } from '../../../application/gallery/views.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { Links } from '../../../ports/outbound/links.ts';
import type { HandlersOf } from '../handler.ts';

export type UseCases = {
  readonly searchScreens: SearchScreens;
  readonly showScreen: ShowScreen;
  readonly showApp: ShowApp;
  readonly listPatterns: ListPatterns;
  readonly showTaxonomy: ShowTaxonomy;
  readonly links: Links;
};

export type Answered = 'listScreens' | 'getScreen' | 'getApp' | 'listPatterns' | 'getTaxonomy';

export const galleryHandlers = (use: UseCases): HandlersOf<Answered> => ({
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
  listPatterns: async () => ok({ data: await use.listPatterns() }),
  getTaxonomy: async () => ok({ data: await use.showTaxonomy() }),
});
