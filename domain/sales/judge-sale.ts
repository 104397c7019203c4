import { plainDetails } from '../accounts/billing-details.ts';
import { MAX_RENEWAL_CENTS, MOST_CENTS, MOST_UNITS, VAT_RATE } from '../billing/money.ts';
import { type Outcome, ok, type Refused, refuse } from '../shared/outcome.ts';
import { plainName } from '../shared/plain-text.ts';
import type { OrderFacts, SaleEvent, SoldLine, SubscriptionFacts } from './sale-event.ts';

/* The only place that limits the facts of a sale, so that the store document accepts everything recorded. */

/** The maximum length of a provider's reference, which is part of a key of the store. */
const LONGEST_REFERENCE = 255;

/**
 * The maximum number of lines in an order, and the maximum length of a text in characters, each of up to two UTF-16
 * units.
 */
const [MOST_LINES, LONGEST_TEXT] = [100, 120];

const LONGEST_INVOICE_NUMBER = 64;

export type SaleFault = 'amounts_contradict' | 'currency_unknown' | 'reference_too_long' | 'too_many_lines';

const isCents = (cents: number): boolean => Number.isSafeInteger(cents) && Math.abs(cents) <= MOST_CENTS;

const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 0;

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

const link = (url: string | null): string | null =>
  url !== null && url.length <= 2000 && /^https:/i.test(url) && URL.canParse(url) ? url : null;

const text = (words: string | null | undefined): string | null => (words ? plainName(words, LONGEST_TEXT) : null);

const contradicts = (message: string): Refused<SaleFault> => refuse('amounts_contradict', { message });

const unknownCurrency = (name: string, currency: string): Refused<SaleFault> | undefined =>
  Intl.supportedValuesOf('currency').includes(currency)
    ? undefined
    : refuse('currency_unknown', { message: `${name} has the currency ${currency}, which is not in ISO 4217.` });

/**
 * The lines, adjusted to add up to the total. A missing amount, such as shipping, becomes its own line. An excess
 * lowers the lines as a discount: a coupon, or the credit for an older plan, which is a negative line.
 */
const balanced = (lines: readonly SoldLine[], total: number): SoldLine[] => {
  const sold = lines.filter(({ total_cents }) => total_cents >= 0);
  let over = sumOf(sold.map(({ total_cents }) => total_cents)) - total;
  const rest = {
    text: sold.length === 0 ? lines[0]?.text : null,
    quantity: 1,
    total_cents: 0 - over,
    discount_cents: 0,
  };
  return [...sold, ...(over < 0 || sold.length === 0 ? [rest] : [])].map((line) => {
    const taken = Math.max(0, Math.min(over, line.total_cents));
    over -= taken;
    return { ...line, total_cents: line.total_cents - taken, discount_cents: line.discount_cents + taken };
  });
};

/** True if a tax is that of the rate, but for rounding. Where a line is exempt or has another rate, it is not. */
const isTaxAt = (rate: string, vat_cents: number, net_cents: number, lines: readonly SoldLine[]): boolean =>
  VAT_RATE.test(rate) &&
  Math.abs((net_cents * Number(rate)) / 100 - vat_cents) <= sumOf(lines.map(({ quantity }) => Math.max(1, quantity)));

const judgeOrder = (facts: OrderFacts): Outcome<OrderFacts, SaleFault> => {
  const { currency, vat_cents: vat, subscription } = facts;
  const name = `Order ${facts.reference}`;
  const unknown = unknownCurrency(name, currency);
  if (unknown) return unknown;
  if (facts.lines.length > MOST_LINES) {
    return refuse('too_many_lines', { message: `${name} has more than ${MOST_LINES} lines; split it into several.` });
  }
  const total_cents = Math.max(0, facts.total_cents);
  const lines = balanced(facts.lines, total_cents).map((line) => ({
    ...line,
    ...('text' in line && { text: text(line.text) }),
    // No subscription has this many licenses: the line counts usage, such as calls.
    quantity: subscription !== null && line.quantity > MOST_UNITS ? 0 : line.quantity,
  }));
  const wrong = lines.findIndex(
    ({ quantity, total_cents: price, discount_cents }) =>
      !(isCount(quantity) && quantity <= MOST_UNITS && isCents(price) && isCount(discount_cents)),
  );
  if (wrong >= 0) {
    return contradicts(
      `Line ${wrong + 1} of order ${facts.reference} has a quantity or an amount that is no whole number from 0, or a quantity above ${MOST_UNITS}.`,
    );
  }
  const all = lines.map((line) => line.total_cents + line.discount_cents + line.quantity);
  if (sumOf(all) > MOST_CENTS) return contradicts(`${name} comes to more than ${MOST_CENTS}.`);
  const vat_cents = vat !== null && isCount(vat) && vat <= total_cents ? vat : null;
  const { billing: _, invoice, vat_rate, ...rest } = facts;
  const billing = plainDetails(facts.billing);
  const issued = { number: plainName(invoice?.number ?? '', LONGEST_INVOICE_NUMBER), url: link(invoice?.url ?? null) };
  return ok({
    ...rest,
    total_cents,
    vat_cents,
    lines,
    receipt_url: link(facts.receipt_url),
    // Only a name adds nothing to the account.
    ...((billing?.address ?? billing?.tax_number) && { billing }),
    ...((issued.number ?? issued.url) !== null && { invoice: issued }),
    ...(vat_cents !== null && isTaxAt(vat_rate ?? '', vat_cents, total_cents - vat_cents, lines) && { vat_rate }),
  });
};

const judgeSubscription = (facts: SubscriptionFacts): Outcome<SubscriptionFacts, SaleFault> => {
  const { things, renewal_amount_cents: renewal, renewal_currency } = facts;
  const name = `Subscription ${facts.reference}`;
  const unknown = renewal_currency === null ? undefined : unknownCurrency(name, renewal_currency);
  if (unknown) return unknown;
  const units = things.map(({ quantity = 1 }) => quantity ?? 0);
  if (units.length === 0 || !units.every(isCount) || sumOf(units) > MOST_UNITS) {
    return contradicts(`${name} is of nothing, or of units that are no whole numbers from 0 to ${MOST_UNITS}.`);
  }
  if (renewal !== null && !(isCount(renewal) && renewal <= MAX_RENEWAL_CENTS)) {
    return contradicts(`${name} renews for an amount that is no whole number from 0 to ${MAX_RENEWAL_CENTS}.`);
  }
  return ok({ ...facts, update_payment_method_url: link(facts.update_payment_method_url) });
};

const judgeFacts = (facts: SaleEvent['facts']): Outcome<SaleEvent['facts'], SaleFault> => {
  if (facts.kind === 'refund') {
    if (isCents(facts.amount_cents ?? 0)) return ok(facts);
    return contradicts(`Refund ${facts.reference} has an amount that is no whole number, or one above ${MOST_CENTS}.`);
  }
  const known = { ...facts, buyer: { ...facts.buyer, name: text(facts.buyer.name) } };
  return known.kind === 'order' ? judgeOrder(known) : judgeSubscription(known);
};

/**
 * The event with facts that the store document accepts. Harmless errors are corrected, such as an invalid link, or
 * lines that don't add up to the total. Refuses wrong amounts and units, and values beyond the limits.
 */
export const judgeSale = (event: SaleEvent): Outcome<SaleEvent, SaleFault> => {
  const { facts } = event;
  const other =
    facts.kind === 'refund' ? facts.order_reference : facts.kind === 'order' && facts.subscription?.reference;
  if (Math.max(facts.reference.length, (other || '').length) > LONGEST_REFERENCE) {
    const message = `The sale has a reference of more than ${LONGEST_REFERENCE} characters; name it shorter.`;
    return refuse('reference_too_long', { message });
  }
  const judged = judgeFacts(facts);
  return judged.ok ? ok({ ...event, facts: judged.value }) : judged;
};
