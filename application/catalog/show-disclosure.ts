import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';

export type Ports = { catalogs: Catalogs };

/** The store's business disclosure in Korean and English (PublicDisclosureData of the specification). */
export class ShowDisclosure {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute() {
    const { disclosure } = await this.#ports.catalogs.current();
    // A refusal, because nine empty texts would look like a disclosure that the operator has entered.
    return disclosure
      ? ok(disclosure)
      : refuse('not_found', { message: 'This store has not entered its business disclosure yet.' });
  }
}
