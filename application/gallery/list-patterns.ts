import type { Taxonomy } from '../../domain/gallery/taxonomy.ts';
import type { Gallery } from '../../ports/outbound/gallery.ts';

export type Ports = { gallery: Gallery };

/** The UX patterns of the taxonomy with the number of their screens. */
export const listPatterns =
  ({ gallery }: Ports) =>
  async (): Promise<Taxonomy['patterns']> =>
    (await gallery.taxonomy()).patterns;

export type ListPatterns = ReturnType<typeof listPatterns>;
