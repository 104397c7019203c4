export const SECTIONS = [
  'categories',
  'tags',
  'products',
  'releases',
  'bundles',
  'lineages',
  'policy',
  'disclosure',
  'storefront',
  'taxonomy',
  'accounts',
  'payment_methods',
  'orders',
  'invoices',
  'entitlements',
  'subscriptions',
] as const;
export type Section = (typeof SECTIONS)[number];

export type Saved = 'created' | 'updated' | 'unchanged';

/** The number of created, updated and unchanged entries in each section of a document. */
export type ImportCounts = Readonly<Record<Section, Readonly<Record<Saved, number>>>>;

/** Counts the entries of an import, and reports the number of finished entries after each one. */
export class Tally {
  readonly #told: (done: number) => void;
  #done = 0;
  readonly counts = Object.fromEntries(
    SECTIONS.map((section) => [section, { created: 0, updated: 0, unchanged: 0 }]),
  ) as Record<Section, Record<Saved, number>>;

  constructor(told: (done: number) => void) {
    this.#told = told;
  }

  add(section: Section, saved: Saved): void {
    this.counts[section][saved]++;
    this.#told(++this.#done);
  }
}

/** The combined result for a product, which is stored as two records. */
export const withContent = (product: Saved, content: Saved): Saved =>
  product === 'unchanged' && content !== 'unchanged' ? 'updated' : product;
