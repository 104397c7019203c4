import type { Localized } from '../shared/locale.ts';

/** A word of the taxonomy. The key is 1 to 60 characters of `a-z`, `0-9` and `-`. */
export type TaxonomyTerm = {
  readonly key: string;
  readonly name: Localized;
  readonly description?: Localized | undefined;
};

export const term = (key: string, en: string, ko: string): TaxonomyTerm => ({ key, name: { en, ko } });

/** The words by which screens are described: their page types, UX patterns, and elements. */
export type TaxonomyTerms = {
  readonly page_types: readonly TaxonomyTerm[];
  readonly patterns: readonly TaxonomyTerm[];
  readonly elements: readonly TaxonomyTerm[];
};

export type WithCount<T> = T & { readonly screens: number };

/** The terms, and the colours and fonts that screens have, each with the number of its screens. */
export type Taxonomy = { readonly [Section in keyof TaxonomyTerms]: readonly WithCount<TaxonomyTerm>[] } & {
  /** Families of colours, such as `blue`, each with the colour of it that most screens have. */
  readonly colors: readonly WithCount<{ readonly key: string; readonly hex: string }>[];
  readonly fonts: readonly WithCount<{ readonly name: string }>[];
};
