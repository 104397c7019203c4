import type { TaxonomyTerms } from '../gallery/taxonomy.ts';
import { type Fault, repeats } from '../shared/fault.ts';

/** The most words that an operator may define for a section of the taxonomy. */
export const TERMS_OF_SECTION = 100;

export const TAXONOMY_SECTIONS = ['page_types', 'patterns', 'elements'] as const;

/** The stored words and, over those of the same keys and after them, the words of a document. */
export const withTerms = (stored: TaxonomyTerms, given: TaxonomyTerms): TaxonomyTerms => {
  const merged = (section: keyof TaxonomyTerms) => [
    ...new Map([...stored[section], ...given[section]].map((term) => [term.key, term])).values(),
  ];
  return { page_types: merged('page_types'), patterns: merged('patterns'), elements: merged('elements') };
};

/** The faults of a document's words, among each other and beside the stored ones. */
export const taxonomyFaults = (given: TaxonomyTerms, stored: TaxonomyTerms): Fault[] => {
  const merged = withTerms(stored, given);
  return TAXONOMY_SECTIONS.flatMap((section) => [
    ...repeats(
      given[section],
      ({ key }) => key,
      (n, first, key) => ({
        path: `taxonomy.${section}.${n}.key`,
        message: `"${key}" is the key of taxonomy.${section}.${first} already`,
      }),
    ),
    ...(merged[section].length > TERMS_OF_SECTION
      ? [
          {
            path: `taxonomy.${section}`,
            message: `makes ${merged[section].length} words together with the stored ones; ${TERMS_OF_SECTION} are allowed`,
          },
        ]
      : []),
  ]);
};
