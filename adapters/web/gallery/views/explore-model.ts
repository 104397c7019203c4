import type { Taxonomy } from '../../../../domain/gallery/taxonomy.ts';
import type { FlowScreens } from '../../../../ports/outbound/gallery.ts';
import type { SearchedScreens } from '../parts.ts';
import type { Explored } from '../query.ts';

/** What the explore page shows. */
export type ExploreModel = {
  readonly explored: Explored;
  /** The names of filters whose values were left out. */
  readonly wrong: readonly string[];
  readonly found: SearchedScreens;
  readonly taxonomy: Taxonomy;
  /** The flows of the app that is filtered by. */
  readonly flows: readonly FlowScreens[];
};
