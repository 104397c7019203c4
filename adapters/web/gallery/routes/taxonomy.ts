import type { Paths } from '../paths.ts';
import { taxonomyView } from '../views/taxonomy.ts';

/** The words by which screens are described. */
export const addTaxonomyPages = (paths: Paths): void => {
  const { showTaxonomy } = paths.parts;

  paths.page('/taxonomy', async () => {
    const words = await showTaxonomy();
    return (page) => taxonomyView(page, words);
  });
};
