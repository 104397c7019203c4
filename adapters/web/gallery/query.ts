import { screenFilterOf } from '../../../application/design/gallery/views.ts';
import { NO_FILTER, type ScreenFilter, type ScreenOrder } from '../../../domain/design/gallery/screen.ts';
import { screenQuery } from '../../../ports/inbound/screen-query.ts';

export type ExploreQuery = {
  readonly filter: ScreenFilter;
  readonly order: ScreenOrder;
  /** Null for the page's default number of columns. */
  readonly cols: number | null;
  readonly page: number;
};

/** A filter condition that can be removed individually. */
export type Condition = { readonly name: keyof ScreenFilter; readonly value: string };

/**
 * Parses the conditions. An impossible value is dropped, and its name is added to `wrong`, so that the page can report
 * it. Checkboxes repeat a name, which is equivalent to comma-separated values.
 */
export const readExplored = (query: URLSearchParams): { readonly explored: ExploreQuery; readonly wrong: string[] } => {
  const wrong: string[] = [];
  const { shape } = screenQuery();
  const read = <N extends keyof typeof shape>(name: N): (typeof shape)[N]['_zod']['output'] => {
    const parsed = shape[name].safeParse([...new Set(query.getAll(name))].join(',').trim());
    if (!parsed.success) wrong.push(name);
    return (parsed.success ? parsed.data : shape[name].parse(undefined)) as never;
  };
  const app = read('app');
  const input = {
    q: read('q'),
    platform: read('platform'),
    viewport: read('viewport'),
    lang: read('lang'),
    mode: read('mode'),
    kind: read('kind'),
    patterns: read('patterns'),
    components: read('components'),
    color: read('color'),
    app,
    flow: app === null ? null : read('flow'),
    sort: read('sort'),
    cols: read('cols'),
    page: read('page'),
  };
  const { sort: order, cols, page } = input;
  return { explored: { filter: screenFilterOf(input), order, cols, page }, wrong };
};

/** The path of the explore page with these conditions; the others have their defaults. */
export const explorePath = (input: Partial<ScreenFilter> & Partial<Omit<ExploreQuery, 'filter'>>): string => {
  const { order = 'newest', cols = null, page = 1, ...filter } = input;
  const params = new URLSearchParams();
  for (const name of Object.keys(NO_FILTER) as (keyof ScreenFilter)[]) {
    const value = filter[name];
    const text = typeof value === 'object' && value !== null ? value.join(',') : (value ?? '');
    if (text !== '') params.set(name, text);
  }
  if (order !== 'newest') params.set('sort', order);
  if (cols !== null) params.set('cols', String(cols));
  if (page > 1) params.set('page', String(page));
  return params.size === 0 ? '/' : `/?${params.toString().replaceAll('%2C', ',')}`;
};

/** The active conditions, in the order of the form. */
export const conditionsOf = (filter: ScreenFilter): Condition[] =>
  (Object.keys(NO_FILTER) as (keyof ScreenFilter)[]).flatMap((name) =>
    [filter[name]].flat().flatMap((value) => (value === null ? [] : [{ name, value }])),
  );

/** The filter without one of its conditions. Removing the app also removes the flow. */
export const without = (filter: ScreenFilter, { name, value }: Condition): ScreenFilter => {
  if (name === 'patterns' || name === 'components') {
    return { ...filter, [name]: filter[name].filter((key) => key !== value) };
  }
  return { ...filter, [name]: null, ...(name === 'app' && { flow: null }) };
};
