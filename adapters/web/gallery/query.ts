import { screenFilterOf } from '../../../application/design/gallery/views.ts';
import { NO_FILTER, type ScreenFilter, type ScreenOrder } from '../../../domain/design/gallery/screen.ts';
import { screenQuery } from '../../../ports/inbound/screen-query.ts';

export type ExploreQuery = {
  readonly filter: ScreenFilter;
  readonly order: ScreenOrder;
  /** Null for as many columns as the page likes. */
  readonly cols: number | null;
  readonly page: number;
};

/** A condition that can be removed by itself. */
export type Condition = { readonly name: keyof ScreenFilter; readonly value: string };

/**
 * Reads the conditions. A value that nothing can have is left out, and its name is among `wrong`, so that the page can
 * say so. Checkboxes send a name several times, which means the same as commas between the values.
 */
export const readExplored = (query: URLSearchParams): { readonly explored: ExploreQuery; readonly wrong: string[] } => {
  const wrong: string[] = [];
  const shape = screenQuery.shape;
  const read = <N extends keyof typeof shape>(name: N): (typeof shape)[N]['_zod']['output'] => {
    const parsed = shape[name].safeParse([...new Set(query.getAll(name))].join(',').trim());
    if (!parsed.success) wrong.push(name);
    return (parsed.success ? parsed.data : shape[name].parse(undefined)) as never;
  };
  const app = read('app');
  const wish = {
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
  const { sort: order, cols, page } = wish;
  return { explored: { filter: screenFilterOf(wish), order, cols, page }, wrong };
};

/** The address of the explore page with these conditions; what is not given is as on the bare page. */
export const explorePath = (wish: Partial<ScreenFilter> & Partial<Omit<ExploreQuery, 'filter'>>): string => {
  const { order = 'newest', cols = null, page = 1, ...filter } = wish;
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

/** The conditions that are set, in the order of the form. */
export const conditionsOf = (filter: ScreenFilter): Condition[] =>
  (Object.keys(NO_FILTER) as (keyof ScreenFilter)[]).flatMap((name) =>
    [filter[name]].flat().flatMap((value) => (value === null ? [] : [{ name, value }])),
  );

/** The filter without one of its conditions. A flow goes with its app. */
export const without = (filter: ScreenFilter, { name, value }: Condition): ScreenFilter => {
  if (name === 'patterns' || name === 'components') {
    return { ...filter, [name]: filter[name].filter((key) => key !== value) };
  }
  return { ...filter, [name]: null, ...(name === 'app' && { flow: null }) };
};
