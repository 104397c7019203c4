import { StoredSales } from '../../../adapters/store/sales.ts';
import { recordSale } from '../../../application/sales/record-sale.ts';
import type { Sales } from '../../../ports/outbound/sales.ts';
import { onAudited } from '../area.ts';

/** Records what payment providers tell of sales. */
export const sales = {
  parts: {
    sales: onAudited<Sales>(StoredSales),
    recordSale,
  },
};
