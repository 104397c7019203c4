import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';

type Ports = { catalogs: Catalogs };

/** What the business discloses of itself, in both languages (PublicDisclosureData of the specification). */
export class ShowDisclosure {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute() {
    const { disclosure } = await this.#ports.catalogs.current();
    // Nine empty strings would look like a business that keeps silent.
    return disclosure
      ? ok(disclosure)
      : refuse('not_found', { message: 'This store has not entered its business disclosure yet.' });
  }
}
