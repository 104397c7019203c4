import { appId } from '../../../../domain/gallery/screen.ts';
import type { Paths } from '../paths.ts';
import { readExplored } from '../query.ts';
import { exploreView } from '../views/explore.ts';

/** The page of all screens, which is the first page of the gallery. */
export const addExplorePages = (paths: Paths): void => {
  const { searchScreens, showTaxonomy, showApp } = paths.parts;

  paths.page('/', async ({ query }) => {
    const { explored, wrong } = readExplored(query);
    const [found, terms, filtered] = await Promise.all([
      searchScreens(explored),
      showTaxonomy(),
      explored.filter.app === null ? null : showApp(appId(explored.filter.app)),
    ]);
    const model = { explored, wrong, found, taxonomy: terms, flows: filtered?.ok ? filtered.value.flows : [] };
    return (page) => exploreView(page, model);
  });
};
