import { type Instant, toInstant } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';

export const PAYMENT_METHOD_TYPES = ['card', 'bank_account', 'wallet'] as const;
export type PaymentMethodType = (typeof PAYMENT_METHOD_TYPES)[number];

/** A payment method that the account has on file. Only the last four digits of its number are stored. */
export type PaymentMethod = {
  readonly id: number;
  readonly account_id: number;
  readonly type: PaymentMethodType;
  /** The card's network, the bank, or the wallet's provider. */
  readonly brand: string;
  readonly last4: string | null;
  readonly exp_month: number | null;
  readonly exp_year: number | null;
  readonly is_default: boolean;
};

export const PAYMENT_METHOD_TYPE_LABELS: Readonly<Record<PaymentMethodType, Readonly<Record<Locale, string>>>> = {
  card: { en: 'Card', ko: '카드' },
  bank_account: { en: 'Bank account', ko: '은행 계좌' },
  wallet: { en: 'Wallet', ko: '간편결제' },
};

/** The masked number for display; null if no digits are known. */
export const maskedNumber = ({ type, last4 }: PaymentMethod): string | null => {
  if (last4 === null) return null;
  return type === 'card' ? `**** **** **** ${last4}` : `****${last4}`;
};

/** True if the expiry month is over in UTC. A payment method without an expiry month never expires. */
export const isExpired = ({ exp_month, exp_year }: PaymentMethod, now: Instant): boolean =>
  exp_month !== null && exp_year !== null && toInstant(Date.UTC(exp_year, exp_month, 1)) <= now;
