import { isExpired, maskedNumber, PAYMENT_METHOD_TYPE_LABELS } from '../../domain/billing/payment-method.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'clock' | 'paymentMethods'>;

/** The account's payment methods, the default one first. */
export const listPaymentMethods =
  ({ paymentMethods, clock }: Ports) =>
  async ({ accountId, locale }: { accountId: number; locale: Locale }) => {
    const methods = await paymentMethods.ofAccount(accountId);
    const now = clock.now();
    return {
      payment_methods: [...methods]
        .sort((a, b) => Number(b.is_default) - Number(a.is_default))
        .map((method) => ({
          id: method.id,
          type: method.type,
          type_label: PAYMENT_METHOD_TYPE_LABELS[method.type][locale],
          brand: method.brand,
          last4: method.last4,
          masked_number: maskedNumber(method),
          exp_month: method.exp_month,
          exp_year: method.exp_year,
          expired: isExpired(method, now),
          is_default: method.is_default,
        })),
    };
  };

export type ListPaymentMethods = ReturnType<typeof listPaymentMethods>;
