import type { BillingDetails } from '../accounts/billing-details.ts';
import type { ProviderInvoice } from '../billing/order.ts';
import type { Instant } from '../shared/instant.ts';

/** A payment provider, or `shop` for a shop's own system: 1 to 32 characters of `a-z`, `0-9`, `-` and `_`. */
export type Provider = string;

/** The buyer as the provider knows them. The account is found by the address, or opened. */
export type Buyer = {
  readonly email: string;
  readonly name: string | null;
  /** The language for messages, such as `ko`; null if the provider knows none. */
  readonly locale: string | null;
};

/** A thing that was sold: by the provider's price id, which the store document maps to products, or by a slug. */
export type SoldThing =
  | { readonly price: string; readonly product?: undefined }
  | { readonly product: string; readonly price?: undefined };

/** The name of a thing that was sold, or none: a line may be shipping, or a work without a price. */
export type ThingName = { readonly price?: string | undefined; readonly product?: string | undefined };

/** A line of an order. Amounts are in minor units of the order's currency, for all units together. */
export type SoldLine = ThingName & {
  /** The words of the provider for the line. */
  readonly text?: string | null | undefined;
  /** 0 is usage: money alone, without units. */
  readonly quantity: number;
  /** The price of the line for the buyer, after discounts. Below 0, it is a credit, which lowers the other lines. */
  readonly total_cents: number;
  readonly discount_cents: number;
};

/** A period of a subscription, from its first moment to its end. */
export type Period = { readonly starts_at: Instant; readonly ends_at: Instant };

/** One payment: a purchase, or a period of a subscription. */
export type OrderFacts = {
  readonly kind: 'order';
  /** The provider's name of the payment. It never changes. */
  readonly reference: string;
  readonly buyer: Buyer;
  readonly status: 'pending' | 'paid' | 'cancelled';
  readonly ordered_at: Instant;
  readonly paid_at: Instant | null;
  /** ISO 4217, in capitals. */
  readonly currency: string;
  /** `card`, `bank_transfer`, … */
  readonly payment_method: string;
  /** The total of the provider, which counts where the lines come to another one. */
  readonly total_cents: number;
  /** The value added tax within the total; null if the provider names none. */
  readonly vat_cents: number | null;
  readonly receipt_url: string | null;
  /** The party that the provider billed; absent where it named none. */
  readonly billing?: BillingDetails | undefined;
  readonly invoice?: ProviderInvoice | undefined;
  /** The rate of the tax in percent, such as `19` or `8.875`; absent where the provider names none, or several. */
  readonly vat_rate?: string | undefined;
  /** The subscription that the payment is for. A line of a subscription gives no entitlement of its own. */
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
  /** `past_due` is being charged again. `unpaid` is not, and `paused` is not charged until it is resumed. */
  readonly status: 'trialing' | 'active' | 'past_due' | 'unpaid' | 'paused' | 'cancelled' | 'expired';
  readonly starts_at: Instant;
  /** The end of the current period. */
  readonly ends_at: Instant | null;
  /**
   * The start of the current period, where its payment is due: providers move a period on before it is paid. Absent or
   * null if the period is paid, or nobody knows its start.
   */
  readonly due_since?: Instant | null | undefined;
  /** When the buyer cancelled it; it runs on to `ends_at`. */
  readonly cancelled_at: Instant | null;
  readonly trial_ends_at: Instant | null;
  readonly next_charge_at: Instant | null;
  readonly renewal_amount_cents: number | null;
  readonly renewal_currency: string | null;
  readonly update_payment_method_url: string | null;
  /** The things with their units: one where a thing leaves them out, and null for usage, which is counted later. */
  readonly things: readonly (SoldThing & { readonly quantity?: number | null | undefined })[];
};

/** Money that went back. It may be told before the order that it belongs to. */
export type RefundFacts = {
  readonly kind: 'refund';
  /** The provider's name of the refund or dispute. It never changes. */
  readonly reference: string;
  readonly order_reference: string;
  readonly refunded_at: Instant;
  /**
   * The money of this refund alone; null for all that the buyer paid. 0 is a refund that failed. Below 0, a chargeback of
   * that amount was reversed.
   */
  readonly amount_cents: number | null;
  /** The lines whose money went back; null if the provider names none. */
  readonly things: readonly SoldThing[] | null;
  readonly cause: 'refund' | 'chargeback';
  /** True if the access ends with a part of the money, too. */
  readonly ends_access?: boolean | undefined;
};

/** Facts of a provider, as they stood at `happened_at`. Events come twice, together and out of order. */
export type SaleEvent = {
  readonly provider: Provider;
  readonly happened_at: Instant;
  /** True for facts of the provider's list, which tells how things stand, and not when they came to that. */
  readonly listed?: true | undefined;
  readonly facts: OrderFacts | SubscriptionFacts | RefundFacts;
};
