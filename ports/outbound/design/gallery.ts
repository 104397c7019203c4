import type { Permit } from '../../../domain/access/permit.ts';
import type { AppSlug } from '../../../domain/design/collect/run.ts';
import type {
  Screen,
  ScreenCard,
  ScreenDraft,
  ScreenFilter,
  ScreenOrder,
} from '../../../domain/design/gallery/screen.ts';
import type { Taxonomy, TaxonomyTerms } from '../../../domain/design/gallery/taxonomy.ts';
import type { PageOf, PageRequest } from '../../../domain/shared/paging.ts';

/** The first screens of a flow, in order, and the total number. */
export type FlowScreens = {
  readonly slug: string;
  readonly name: string;
  readonly total: number;
  readonly screens: readonly ScreenCard[];
};

/** Screens by id, by filter and by flow. No call reads all of them. */
export interface Gallery {
  /** A page of the screens that match a filter, and their total number. */
  search(filter: ScreenFilter, order: ScreenOrder, page: PageRequest): Promise<PageOf<ScreenCard>>;
  screen(id: number): Promise<Screen | undefined>;
  /** The flows of an app with their first screens; at most `flows` flows and `screens` screens each. */
  flows(app: AppSlug, most: { readonly flows: number; readonly screens: number }): Promise<FlowScreens[]>;
  apps(): Promise<ReadonlyMap<AppSlug, { readonly screens: number; readonly flows: number }>>;
  /** The words of the gallery, with the number of screens that match each. */
  taxonomy(): Promise<Taxonomy>;
}

export type SavedScreens = { readonly added: number; readonly changed: number; readonly unchanged: number };

/** Writes the gallery. One worker at a time may call it. */
export interface GalleryEditor {
  /**
   * Adds the screens, or replaces those with the same keys, and updates the index. A screen of a later run is never
   * overwritten. Saving the same drafts again changes nothing, and repairs an index that a killed worker left
   * incomplete.
   */
  save(permit: Permit, drafts: readonly ScreenDraft[]): Promise<SavedScreens>;
  /** Recounts the taxonomy from the index. */
  recount(permit: Permit): Promise<void>;
  /** Replaces the words that the operator defines. */
  setTerms(permit: Permit, terms: TaxonomyTerms): Promise<void>;
  terms(): Promise<TaxonomyTerms>;
}
