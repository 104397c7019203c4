import type { ScreenFilter, ScreenOrder } from '../../domain/gallery/filter.ts';
import type { ScreenCard } from '../../domain/gallery/screen.ts';
import { PAGE_SIZE } from '../../domain/shared/paging.ts';
import type { Gallery } from '../../ports/outbound/gallery.ts';

export type Ports = { gallery: Gallery };

export type ScreenSearch = {
  readonly filter: ScreenFilter;
  readonly order: ScreenOrder;
  /** Columns of the page; null is 4. */
  readonly cols: number | null;
  /** From 1 on. */
  readonly page: number;
};

/** A page of screens. It fills whole rows, as many as 24 screens need. */
export type FoundScreens = {
  readonly screens: readonly ScreenCard[];
  readonly total: number;
  readonly page: number;
  readonly per_page: number;
  readonly cols: number;
};

const COLS = 4;

/** The screens that a filter lets through, page by page. A page beyond the last one is empty. */
export const searchScreens =
  ({ gallery }: Ports) =>
  async ({ filter, order, cols, page }: ScreenSearch): Promise<FoundScreens> => {
    const columns = cols ?? COLS;
    const per_page = columns * Math.ceil(PAGE_SIZE / columns);
    const { entries, total } = await gallery.search(filter, order, { page, per_page });
    return { screens: entries, total, page, per_page, cols: columns };
  };

export type SearchScreens = ReturnType<typeof searchScreens>;
