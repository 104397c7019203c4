import { plainName } from '../shared/plain-text.ts';

/** The party that a sale is billed to. A part is null if it is unknown. */
export type BillingDetails = {
  /** A company or a person. */
  readonly name: string | null;
  /** The address as the lines of a letter. */
  readonly address: string | null;
  /** The VAT number, or another tax number of the party. */
  readonly tax_number: string | null;
};

/** The maximum length of each part, and the maximum number of lines in an address. */
export const LONGEST_BILLING = { name: 120, address: 400, tax_number: 40 } as const;
const MOST_LINES = 8;

const addressLines = (text: string): string | null => {
  const lines = text.split(/\r\n?|[\n\u2028\u2029]/).flatMap((line) => plainName(line) ?? []);
  const address = lines.slice(0, MOST_LINES).join('\n').slice(0, LONGEST_BILLING.address).toWellFormed().trim();
  return address || null;
};

/** The details without invisible characters, and within their limits; undefined if nothing remains. */
export const plainDetails = (stated: BillingDetails | undefined): BillingDetails | undefined => {
  const details = {
    name: plainName(stated?.name ?? '', LONGEST_BILLING.name),
    address: addressLines(stated?.address ?? ''),
    tax_number: plainName(stated?.tax_number ?? '', LONGEST_BILLING.tax_number),
  };
  return Object.values(details).some((part) => part !== null) ? details : undefined;
};

/**
 * The details that a receipt prints: the buyer's own, else those that came with the sale. The two are never mixed,
 * because one party's name with another's number would be wrong.
 */
export const billedTo = (
  own: BillingDetails | undefined,
  sold: { readonly billing?: BillingDetails | undefined },
): BillingDetails | null => own ?? sold.billing ?? null;
