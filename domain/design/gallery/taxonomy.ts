import type { Fault } from '../../shared/fault.ts';
import type { Localized } from '../../shared/locale.ts';

/** A term of the taxonomy. The key is 1 to 60 characters of `a-z`, `0-9` and `-`. */
export type TaxonomyTerm = {
  readonly key: string;
  readonly name: Localized;
  readonly description?: Localized | undefined;
};

export const term = (key: string, en: string, ko: string): TaxonomyTerm => ({ key, name: { en, ko } });

/** The vocabulary of screens: page types, UX patterns, and elements. */
export type TaxonomyTerms = {
  readonly page_types: readonly TaxonomyTerm[];
  readonly patterns: readonly TaxonomyTerm[];
  readonly elements: readonly TaxonomyTerm[];
};

export type WithCount<T> = T & { readonly screens: number };

/** The terms, and the colors and fonts of the screens, each with the number of its screens. */
export type Taxonomy = { readonly [Section in keyof TaxonomyTerms]: readonly WithCount<TaxonomyTerm>[] } & {
  /** Color families, such as `blue`, each with its most frequent color. */
  readonly colors: readonly WithCount<{ readonly key: string; readonly hex: string }>[];
  readonly fonts: readonly WithCount<{ readonly name: string }>[];
};

/** The maximum number of terms in a taxonomy section that an operator may define. */
export const TERMS_OF_SECTION = 100;

export const TAXONOMY_SECTIONS = ['page_types', 'patterns', 'elements'] as const;

/** The stored terms, overridden and extended by the terms of a document. */
export const withTerms = (stored: TaxonomyTerms, added: TaxonomyTerms): TaxonomyTerms => {
  const merged = (section: keyof TaxonomyTerms) => [
    ...new Map([...stored[section], ...added[section]].map((term) => [term.key, term])).values(),
  ];
  return { page_types: merged('page_types'), patterns: merged('patterns'), elements: merged('elements') };
};

/** The faults of sections that would have too many terms together with the stored ones. */
export const taxonomyFaults = (added: TaxonomyTerms, stored: TaxonomyTerms): Fault[] => {
  const merged = withTerms(stored, added);
  return TAXONOMY_SECTIONS.filter((section) => merged[section].length > TERMS_OF_SECTION).map((section) => ({
    path: `taxonomy.${section}`,
    message: `would make ${merged[section].length} terms together with the stored ones; at most ${TERMS_OF_SECTION} are allowed`,
  }));
};
