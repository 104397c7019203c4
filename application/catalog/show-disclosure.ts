import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Catalogs } from '../../ports/outbound/catalog.ts';

export type Ports = { catalogs: Catalogs };

/** The store's business disclosure in Korean and English (PublicDisclosureData of the specification). */
export const showDisclosure =
  ({ catalogs }: Ports) =>
  async () => {
    const { disclosure } = await catalogs.current();
    // A refusal, because nine empty texts would look like a disclosure that the operator has entered.
    return disclosure
      ? ok(disclosure)
      : refuse('not_found', { message: 'This store has not entered its business disclosure yet.' });
  };

export type ShowDisclosure = ReturnType<typeof showDisclosure>;
