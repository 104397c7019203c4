import type { BillingDetails } from '../accounts/billing-details.ts';
import type { ProviderInvoice } from '../billing/order.ts';
import type { Instant } from '../shared/instant.ts';

/** A payment provider, or `shop` for a shop's own system: 1 to 32 characters of `a-z`, `0-9`, `-` and `_`. */
export type Provider = string;

/** The buyer according to the provider. The account is found by the address, or created. */
export type Buyer = {
  readonly email: string;
  readonly name: string | null;
  /** The language for messages, such as `ko`; null if the provider knows none. */
  readonly locale: string | null;
};

/**
 * A sold product or plan: by the provider's price id, which the store document maps to products, by a slug, or by both,
 * which name the price of a product. Neither if it is unknown: a line may be shipping, or work without a price.
 */
export type ThingName = { readonly price?: string | undefined; readonly product?: string | undefined };

/** A line of an order. Amounts are in minor units of the order's currency, for all units together. */
export type SoldLine = ThingName & {
  /** The provider's text for the line. */
  readonly text?: string | null | undefined;
  /** 0 for usage, which has an amount but no units. */
  readonly quantity: number;
  /**
   * The price of the line for the buyer, after discounts. A negative price is a credit, which lowers the other lines.
   */
  readonly total_cents: number;
  readonly discount_cents: number;
};

/** A period of a subscription, from its first moment to its end. */
export type Period = { readonly starts_at: Instant; readonly ends_at: Instant };

/** One payment: a purchase, or a period of a subscription. */
export type OrderFacts = {
  readonly kind: 'order';
  /** The provider's reference of the payment. It never changes. */
  readonly reference: string;
  readonly buyer: Buyer;
  readonly status: 'pending' | 'paid' | 'cancelled';
  readonly ordered_at: Instant;
  readonly paid_at: Instant | null;
  /** ISO 4217, in capitals. */
  readonly currency: string;
  /** `card`, `bank_transfer`, … */
  readonly payment_method: string;
  /** The provider's total, which takes precedence over the sum of the lines. */
  readonly total_cents: number;
  /** The value added tax within the total; null if the provider names none. */
  readonly vat_cents: number | null;
  readonly receipt_url: string | null;
  /** The party that the provider billed; absent if it named none. */
  readonly billing?: BillingDetails | undefined;
  readonly invoice?: ProviderInvoice | undefined;
  /** The rate of the tax in percent, such as `19` or `8.875`; absent if the provider names none, or several. */
  readonly vat_rate?: string | undefined;
  /** True if no money moved: a payment in the provider's test mode, or one that the shop calls a test. */
  readonly test?: boolean | undefined;
  /** The subscription that the payment is for. Its lines give no entitlements of their own. */
  readonly subscription: {
    readonly reference: string;
    readonly begins: boolean;
    /** The period that the payment is for; absent if the provider names none. */
    readonly period?: Period | null | undefined;
  } | null;
  readonly lines: readonly SoldLine[];
};

/** A subscription as it stands after a change at the provider. */
export type SubscriptionFacts = {
  readonly kind: 'subscription';
  readonly reference: string;
  readonly buyer: Buyer;
  /** `past_due`: the charge is being retried. `unpaid`: it is not. `paused`: no charges until it is resumed. */
  readonly status: 'trialing' | 'active' | 'past_due' | 'unpaid' | 'paused' | 'cancelled' | 'expired';
  readonly starts_at: Instant;
  /** The end of the current period. */
  readonly ends_at: Instant | null;
  /**
   * The start of the current period if its payment is due: providers advance a period before it is paid. Absent or null
   * if the period is paid, or its start is unknown.
   */
  readonly due_since?: Instant | null | undefined;
  /** The time at which the buyer cancelled it; it continues until `ends_at`. */
  readonly cancelled_at: Instant | null;
  readonly trial_ends_at: Instant | null;
  readonly next_charge_at: Instant | null;
  readonly renewal_amount_cents: number | null;
  readonly renewal_currency: string | null;
  readonly update_payment_method_url: string | null;
  /** The things with their units: one if omitted, and null for usage, which is counted later. */
  readonly things: readonly (ThingName & { readonly quantity?: number | null | undefined })[];
};

/** A refund or dispute. It may be reported before its order. */
export type RefundFacts = {
  readonly kind: 'refund';
  /** The provider's reference of the refund or dispute. It never changes. */
  readonly reference: string;
  readonly order_reference: string;
  readonly refunded_at: Instant;
  /**
   * The amount of this refund only; null for everything that the buyer paid. 0 is a failed refund. A negative amount is
   * a reversed chargeback.
   */
  readonly amount_cents: number | null;
  /** The refunded lines; null if the provider names none. */
  readonly things: readonly ThingName[] | null;
  readonly cause: 'refund' | 'chargeback';
  /** True if even a partial refund ends the access. */
  readonly ends_access?: boolean | undefined;
};

/** A provider's facts as of `happened_at`. Events arrive twice, concurrently and out of order. */
export type SaleEvent = {
  readonly provider: Provider;
  readonly happened_at: Instant;
  /** True for facts from the provider's list, which shows the current state, not when it was reached. */
  readonly listed?: true | undefined;
  /** True for facts that a person records, who names no time of a payment: a known one keeps its time. */
  readonly recorded?: true | undefined;
  readonly facts: OrderFacts | SubscriptionFacts | RefundFacts;
};
