import { INVOICE_STATUS_LABELS } from '../../../../domain/billing/invoice.ts';
import { ORDER_STATUS_LABELS } from '../../../../domain/billing/order.ts';
import { PAYMENT_METHOD_TYPE_LABELS } from '../../../../domain/billing/payment-method.ts';
import { SUBSCRIPTION_STATUS_LABELS } from '../../../../domain/billing/subscription-standing.ts';
import { ACCESS_STATE_LABELS, GRANT_STATUS_LABELS, type Labels } from '../../../../domain/licensing/entitlement.ts';
import type { Locale } from '../../../../domain/shared/locale.ts';

/** The words for states, as the API has them. */
export const labelsIn = (locale: Locale) => {
  const words = <S extends string>(labels: Labels<S>): Record<S, string> =>
    Object.fromEntries(Object.keys(labels).map((state) => [state, labels[state as S][locale]])) as Record<S, string>;
  return {
    order: words(ORDER_STATUS_LABELS),
    invoice: words(INVOICE_STATUS_LABELS),
    subscription: words(SUBSCRIPTION_STATUS_LABELS),
    method: words(PAYMENT_METHOD_TYPE_LABELS),
    grant: words(GRANT_STATUS_LABELS),
    access: words(ACCESS_STATE_LABELS),
  };
};
