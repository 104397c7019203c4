import type { Table } from 'account-service/table';
import type { Ratings } from './rate-product.ts';

/** Keeps ratings in the store of the service, whatever its engine. They go with the partition of their account. */
export const storedRatings = ({ table }: { readonly table: Table }): Ratings => ({
  save: async (_permit, accountId, productId, rating) => {
    await table.put({ pk: `ACCOUNT#${accountId}`, sk: `SHOP-RATING#${productId}`, data: rating });
  },
});
