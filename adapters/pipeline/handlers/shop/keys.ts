import { revokeApiKey } from '../../../../application/access/api-keys.ts';
import { findProduct } from '../../../../application/catalog/shop-products.ts';
import { revokeGrant } from '../../../../application/licensing/grants.ts';
import { createKeyBatch, listKeyBatches, revokeKeyBatch } from '../../../../application/licensing/key-batches.ts';
import type { CountedBatch } from '../../../../domain/licensing/key-batch.ts';
import { ok } from '../../../../domain/shared/outcome.ts';
import type { ListOrder } from '../../../../domain/shared/paging.ts';
import * as shopKeys from '../../../../ports/inbound/shop/keys.ts';
import { handling } from '../handling.ts';
import { BY_ID, idOf, page, write } from './answers.ts';

const NEWEST: ListOrder<CountedBatch> = { place: BY_ID.place, highestFirst: true };

/** The maximum number of keys in use that an answer names. */
const CLAIMS_SHOWN = 100;

/** Batches of license keys that are made in advance. */
export const shopKeysHandlers = handling(
  shopKeys,
  { createKeyBatch, findProduct, listKeyBatches, revokeApiKey, revokeGrant, revokeKeyBatch },
  (use) => ({
    listKeyBatches: async ({ query }) => {
      const before = query.after === null ? null : Number(query.after);
      return ok(page(query, NEWEST)(await use.listKeyBatches(query.limit + 1, before)));
    },
    createKeyBatch: async ({ body: { product: named, edition, ...body } }) =>
      write(async (permit) => {
        const product = await use.findProduct(named);
        if (!product.ok) return product;
        const terms = { ...body, product_id: product.value.id, ...(edition !== null && { edition }) };
        return use.createKeyBatch(permit, terms);
      }),
    revokeKeyBatch: async ({ params, body }) =>
      write(
        (permit) =>
          use.revokeKeyBatch(permit, {
            id: idOf(params.batch),
            claimed: body.claimed ?? false,
            trial: body.trial ?? false,
          }),
        ({ batch, claims }) => ({ batch, claims: claims.slice(0, CLAIMS_SHOWN) }),
      ),
  }),
);
