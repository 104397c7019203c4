import { compareText } from '../shared/compare-text.ts';
import { inLocale, type Locale, type Localized } from '../shared/locale.ts';
import type { Catalog } from './catalog.ts';
import { runsOn } from './platform.ts';
import type { Category, Product } from './product.ts';

/** Accepted values of `sort`; a leading `-` reverses the order. */
export const SORTS = ['id', '-id', 'name', '-name', 'price', '-price', 'newest', 'oldest'] as const;
export type Sort = (typeof SORTS)[number];

export type BrowseInput = {
  readonly category_id: number | null;
  readonly tag_id: number | null;
  readonly q: string | null;
  readonly platform: string | null;
  readonly sort: Sort;
};

const texts = (text: Localized | null): string[] =>
  text === null ? [] : Object.values(text).filter((t) => t !== undefined);

/** The form of a text for comparison: composed letters (Unicode NFKC) in lower case. */
const comparable = (text: string): string => text.normalize('NFKC').toLowerCase();

const matches = (product: Product, q: string): boolean => {
  const searched = comparable([...texts(product.name), ...texts(product.description), product.slug].join('\n'));
  return comparable(q)
    .split(/\s+/)
    .every((word) => searched.includes(word));
};

/** True for a category that buyers see. */
const isShown = ({ active, visibility }: Category): boolean => active && visibility === 'public';

/** The ids of the category and all its subcategories. A hidden category also hides its subcategories. */
const withDescendants = (catalog: Catalog, categoryId: number): ReadonlySet<number> => {
  const visible = [...catalog.categories.values()].filter(isShown);
  const found = new Set(visible.filter(({ id }) => id === categoryId).map(({ id }) => id));
  for (let grown = true; grown; ) {
    grown = false;
    for (const category of visible) {
      if (category.parent_id !== null && found.has(category.parent_id) && !found.has(category.id)) {
        found.add(category.id);
        grown = true;
      }
    }
  }
  return found;
};

const COMPARE: Readonly<Record<string, (locale: Locale) => (a: Product, b: Product) => number>> = {
  id: () => (a, b) => a.id - b.id,
  name: (locale) => (a, b) => (inLocale(a.name, locale) ?? '').localeCompare(inLocale(b.name, locale) ?? '', locale),
  price: () => (a, b) => a.unit_price_cents - b.unit_price_cents,
  oldest: () => (a, b) => compareText(a.created_at, b.created_at),
};

const comparator = (sort: Sort, locale: Locale): ((a: Product, b: Product) => number) => {
  const reversed = sort.startsWith('-') || sort === 'newest';
  const order = (COMPARE[sort === 'newest' ? 'oldest' : sort.replace('-', '')] as (typeof COMPARE)[string])(locale);
  return (a, b) => (reversed ? order(b, a) : order(a, b)) || a.id - b.id;
};

/**
 * The active, published products that match every filter, in the requested order. `category_id` includes its
 * subcategories, unless they are inactive or not public. `q` matches if each of its words occurs in the name or
 * description (either language) or in the slug, regardless of case and composition. `platform` matches the products
 * that run on the platform or system (`runsOn`).
 */
export const browse = (catalog: Catalog, input: BrowseInput, locale: Locale): Product[] => {
  const categories = input.category_id === null ? null : withDescendants(catalog, input.category_id);
  return [...catalog.products.values()]
    .filter((product) => product.active && product.published)
    .filter((product) => categories === null || product.category_ids.some((id) => categories.has(id)))
    .filter((product) => input.tag_id === null || product.tag_ids.includes(input.tag_id))
    .filter((product) => input.q === null || matches(product, input.q))
    .filter((product) => input.platform === null || runsOn(product, input.platform))
    .sort(comparator(input.sort, locale));
};
