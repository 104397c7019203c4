/** The query of a search in a gallery of so many screens. */
type Query = (screens: number) => Readonly<Record<string, unknown>>;

/** The default page of a search. */
const PER_PAGE = 24;

/** The searches whose cost is measured on a small and on a large gallery. `w3` is a frequent word, `w40` a rarer one. */
export const SEARCHES: Readonly<Record<string, Query>> = {
  'no filter': () => ({}),
  'no filter, the last page': (screens) => ({ page: Math.ceil(screens / PER_PAGE) }),
  'a viewport': () => ({ viewport: 'mobile' }),
  'a viewport, a page in the middle': (screens) => ({ viewport: 'mobile', page: Math.ceil(screens / 4 / PER_PAGE) }),
  'a page type': () => ({ kind: 'list' }),
  'a word': () => ({ q: 'w40' }),
  'a viewport, a language, a page type and two words': () => ({
    viewport: 'mobile',
    lang: 'ko',
    kind: 'list',
    q: 'w3 w7',
  }),
};
