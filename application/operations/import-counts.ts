export const SECTIONS = [
  'categories',
  'tags',
  'products',
  'releases',
  'bundles',
  'lineages',
  'policy',
  'disclosure',
  'accounts',
  'payment_methods',
  'orders',
  'invoices',
  'entitlements',
  'subscriptions',
] as const;
export type Section = (typeof SECTIONS)[number];

export type Saved = 'created' | 'updated' | 'unchanged';

/** How many entries of each section of a document were new, changed something, or were there already. */
export type ImportCounts = Readonly<Record<Section, Readonly<Record<Saved, number>>>>;

/** Counts what was done, and tells after each entry how many there have been. */
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

/** What was done to a product, whose content is a record of its own. */
export const withContent = (product: Saved, content: Saved): Saved =>
  product === 'unchanged' && content !== 'unchanged' ? 'updated' : product;
