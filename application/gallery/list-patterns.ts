import type { Taxonomy } from '../../domain/gallery/taxonomy.ts';
import type { Gallery } from '../../ports/outbound/gallery.ts';

export type Ports = { gallery: Gallery };

/** The UX patterns of the taxonomy with the number of their screens. */
export class ListPatterns {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(): Promise<Taxonomy['patterns']> {
    return (await this.#ports.gallery.taxonomy()).patterns;
  }
}
