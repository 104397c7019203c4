import { billingHandlers } from '../../../adapters/pipeline/handlers/billing.ts';
import { readOrders } from '../../../application/billing/orders.ts';
import { withParts } from '../area.ts';

/** Orders, invoices, payment methods and subscriptions of an account. */
export const billing = withParts(billingHandlers, { readOrders });
