import { readable } from '../../domain/documents/version-life.ts';
import type { Documents } from '../../ports/outbound/documents.ts';

/** A document with one of its versions. Drafts are hidden. */
export class ShowDocument {
  readonly #documents: Documents;

  constructor({ documents }: { documents: Documents }) {
    this.#documents = documents;
  }

  /** `number` is null for the current version. */
  async execute(slug: string, number: number | null) {
    if (number === null) {
      const { document, text } = await this.#documents.current(slug);
      return readable({ slug, number }, document, text);
    }
    const [{ document }, text] = await Promise.all([this.#documents.get(slug), this.#documents.text(slug, number)]);
    return readable({ slug, number }, document, text);
  }
}
