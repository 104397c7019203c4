import { plainName } from '../shared/plain-text.ts';

/** The party that a sale is billed to. A part is null if nobody named it. */
export type BillingDetails = {
  /** A company or a person. */
  readonly name: string | null;
  /** The lines of a letter. */
  readonly address: string | null;
  /** The number for value added tax, or another one of the party's tax office. */
  readonly tax_number: string | null;
};

/** The most characters of each part, and the most lines of an address. */
export const LONGEST_BILLING = { name: 120, address: 400, tax_number: 40 } as const;
const MOST_LINES = 8;

const addressLines = (text: string): string | null => {
  const lines = text.split(/\r\n?|[\n\u2028\u2029]/).flatMap((line) => plainName(line) ?? []);
  const address = lines.slice(0, MOST_LINES).join('\n').slice(0, LONGEST_BILLING.address).toWellFormed().trim();
  return address || null;
};

/** The details without characters that nobody sees, and within their bounds; undefined if nothing of them is left. */
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
 * because a name beside the number of another party would be false.
 */
export const billedTo = (
  own: BillingDetails | undefined,
  sold: { readonly billing?: BillingDetails | undefined },
): BillingDetails | null => own ?? sold.billing ?? null;
