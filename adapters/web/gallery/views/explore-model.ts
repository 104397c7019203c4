import type { FoundScreens } from '../../../../application/gallery/search-screens.ts';
import type { Taxonomy } from '../../../../domain/gallery/taxonomy.ts';
import type { FlowScreens } from '../../../../ports/outbound/gallery.ts';
import type { Explored } from '../query.ts';

/** The contents of the explore page. */
export type ExploreModel = {
  readonly explored: Explored;
  /** The names of filters whose values were left out. */
  readonly wrong: readonly string[];
  readonly found: FoundScreens;
  readonly taxonomy: Taxonomy;
  /** The flows of the app that is filtered by. */
  readonly flows: readonly FlowScreens[];
};
