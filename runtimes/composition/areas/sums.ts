import { completeSums, examineSums } from '../../../application/billing/shop-sales.ts';

/**
 * The sums of sales: counting the orders of an older store, and comparing and rebuilding them. The function that mails
 * counts too, and records no sales.
 */
export const sums = { parts: { completeSums, examineSums } };
