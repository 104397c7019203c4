import type { DesignDocument } from '../../domain/documents/document.ts';
import type { PageOf, PageRequest } from '../../domain/shared/paging.ts';
import type { Documents } from '../../ports/outbound/documents.ts';

/** The documents for people who only read: those with an approved version, in the order of their slugs. */
export class BrowseDocuments {
  readonly #documents: Documents;

  constructor({ documents }: { documents: Documents }) {
    this.#documents = documents;
  }

  /** A page that holds documents without an approved version has fewer entries; `total` counts them all. */
  async execute(request: PageRequest): Promise<PageOf<DesignDocument>> {
    const page = await this.#documents.page(request);
    return { ...page, entries: page.entries.filter(({ current_version }) => current_version > 0) };
  }
}
