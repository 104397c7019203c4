import { ELEMENTS } from './elements.ts';
import { PAGE_TYPES } from './page-type.ts';
import { PATTERNS } from './pattern-rules.ts';
import type { TaxonomyTerm, TaxonomyTerms } from './taxonomy.ts';

/** The words of a gallery whose operator defines none: those that the reader of pages finds. */
export const DEFAULT_TERMS: TaxonomyTerms = { page_types: PAGE_TYPES, patterns: PATTERNS, elements: ELEMENTS };

const over = (defaults: readonly TaxonomyTerm[], own: readonly TaxonomyTerm[]): TaxonomyTerm[] => {
  const byKey = new Map([...defaults, ...own].map((term) => [term.key, term]));
  return [...byKey.values()];
};

/** The defaults with the operator's words over those of the same keys, and the operator's further words after them. */
export const termsInForce = (own: TaxonomyTerms): TaxonomyTerms => ({
  page_types: over(DEFAULT_TERMS.page_types, own.page_types),
  patterns: over(DEFAULT_TERMS.patterns, own.patterns),
  elements: over(DEFAULT_TERMS.elements, own.elements),
});
