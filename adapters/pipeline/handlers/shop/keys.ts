import { revokeApiKey } from '../../../../application/access/api-keys.ts';
import { findProduct } from '../../../../application/catalog/shop-products.ts';
import { revokeGrant } from '../../../../application/licensing/grants.ts';
import { createKeyBatch, listKeyBatches, revokeKeyBatch } from '../../../../application/licensing/key-batches.ts';
import * as shopKeys from '../../../../ports/inbound/shop/keys.ts';
import { handling } from '../handling.ts';
import { NEWEST, write } from './answers.ts';
import { listing, writing } from './shop-handling.ts';

/** The maximum number of keys in use that an answer names. */
const CLAIMS_SHOWN = 100;

/** Batches of license keys that are made in advance. */
export const shopKeysHandlers = handling(
  shopKeys,
  { createKeyBatch, findProduct, listKeyBatches, revokeApiKey, revokeGrant, revokeKeyBatch },
  (use) => ({
    listKeyBatches: listing(use.listKeyBatches, NEWEST),
    revokeKeyBatch: writing(use.revokeKeyBatch, ({ batch, claims }) => ({
      batch,
      claims: claims.slice(0, CLAIMS_SHOWN),
    })),
    createKeyBatch: async ({ body: { product: named, edition, ...body } }) =>
      write(async (permit) => {
        const product = await use.findProduct(named);
        if (!product.ok) return product;
        const terms = { ...body, product_id: product.value.id, ...(edition !== null && { edition }) };
        return use.createKeyBatch(permit, terms);
      }),
  }),
);
