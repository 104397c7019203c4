import type { Paths } from '../paths.ts';
import { readExplored } from '../query.ts';
import { exploreView } from '../views/explore.ts';

/** The page of all screens, which is the first page of the gallery. */
export const addExplorePages = (paths: Paths): void => {
  const { search, taxonomy, app } = paths.parts;

  paths.page('/', async ({ query }) => {
    const { explored, wrong } = readExplored(query);
    const [found, terms, filtered] = await Promise.all([
      search(explored),
      taxonomy(),
      explored.filter.app === null ? null : app(explored.filter.app),
    ]);
    const model = { explored, wrong, found, taxonomy: terms, flows: filtered?.shown ?? [] };
    return (page) => exploreView(page, model);
  });
};
