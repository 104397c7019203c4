import type { Taxonomy } from '../../domain/gallery/taxonomy.ts';
import type { Gallery } from '../../ports/outbound/gallery.ts';

export type Ports = { gallery: Gallery };

/** The words of the gallery with the number of screens that each one fits, as counted after the last collect run. */
export const showTaxonomy =
  ({ gallery }: Ports) =>
  (): Promise<Taxonomy> =>
    gallery.taxonomy();

export type ShowTaxonomy = ReturnType<typeof showTaxonomy>;
