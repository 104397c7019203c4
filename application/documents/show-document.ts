import { readable } from '../../domain/documents/version-life.ts';
import type { Documents } from '../../ports/outbound/documents.ts';

/**
 * A document with one of its versions. Drafts are hidden.
 *
 * `number` is null for the current version.
 */
export const showDocument =
  ({ documents }: { documents: Documents }) =>
  async (slug: string, number: number | null) => {
    if (number === null) {
      const { document, text } = await documents.current(slug);
      return readable({ slug, number }, document, text);
    }
    const [{ document }, text] = await Promise.all([documents.get(slug), documents.text(slug, number)]);
    return readable({ slug, number }, document, text);
  };

export type ShowDocument = ReturnType<typeof showDocument>;
