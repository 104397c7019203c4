import type { ScreenFilter, ScreenOrder } from '../../domain/gallery/filter.ts';

/** The filters of a request: those of the API and of the gallery's pages are the same. */
export type ScreenWish = Omit<ScreenFilter, 'patterns' | 'components'> & {
  /** Keys with commas between them. */
  readonly patterns: string | null;
  readonly components: string | null;
  readonly sort: ScreenOrder;
  readonly cols: number | null;
  readonly page: number;
};

/** The different keys of a list with commas between them. */
const keysOf = (list: string | null): string[] => [
  ...new Set((list ?? '').split(',').flatMap((key) => key.trim() || [])),
];

export const screenFilterOf = ({ sort, cols, page, patterns, components, ...filter }: ScreenWish): ScreenFilter => ({
  ...filter,
  patterns: keysOf(patterns),
  components: keysOf(components),
});
