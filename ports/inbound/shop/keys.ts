import * as z from 'zod';
import { KEYS_IN_ANSWER } from '../../../domain/licensing/key-batch.ts';
import { component, dateTime, id, once } from '../answers.ts';
import { bodyFlag, bodyInteger, line, orId, orNull, pathId, queryStretch } from '../fields.ts';
import { each, list, moment } from './records.ts';
import { MADE, shopEndpoints } from './terms.ts';

const shop = shopEndpoints('everything');
const days = orNull(bodyInteger({ minimum: 1, maximum: 36_500 }));

const batchData = once(() =>
  component('ShopKeyBatchData', {
    id,
    product_id: id,
    name: z.string(),
    created_at: dateTime,
    revoked_at: moment,
    ...each(z.int().nullable(), 'access_days', 'updates_days', 'device_limit'),
    edition: z.string().optional(),
    ...each(z.int(), 'count', 'unused', 'claimed', 'revoked'),
  }),
);

export const listKeyBatches = shop({
  id: 'listKeyBatches',
  path: '/api/shop/key-batches',
  query: () => z.object(queryStretch('id')),
  answer: () => list(batchData()),
  tool: { name: 'shop_list_key_batches', effect: 'reads' },
});

export const createKeyBatch = shop({
  id: 'createKeyBatch',
  method: 'POST',
  path: '/api/shop/key-batches',
  body: () =>
    component('ShopKeyBatchBody', {
      product: orId(line(200, 1)).meta({ description: 'id or slug of the product' }),
      count: bodyInteger({ minimum: 1, maximum: KEYS_IN_ANSWER }),
      name: line(100, 1).meta({ description: 'what the keys are for' }),
      access_days: days.meta({ description: 'days of access from the first use; null is for good' }),
      updates_days: days.meta({ description: 'days from the first use whose releases are covered; null covers all' }),
      device_limit: orNull(bodyInteger({ minimum: 0, maximum: 999_999_999 })).meta({
        description: 'devices of each key; null takes the product’s own limit',
      }),
      edition: orNull(line(40, 1)).meta({ description: 'one of the product’s editions; null is the lowest' }),
      add_to: orNull(
        z.object({
          batch: bodyInteger({ minimum: 1 }).meta({ description: 'id of a batch, which keeps its terms' }),
          after: bodyInteger({ minimum: 0 }).meta({
            description:
              'the number of its keys that you have; up to 1,000 beyond them, whose answer was lost, are replaced',
          }),
        }),
      ).meta({ description: 'makes the keys in an existing batch; null makes a new batch' }),
    }),
  answer: () => z.object({ batch: batchData(), keys: z.array(z.string()).describe('the keys, shown this once') }),
  output: MADE,
  tool: { name: 'shop_create_key_batch', effect: 'adds' },
});

export const revokeKeyBatch = shop({
  id: 'revokeKeyBatch',
  method: 'POST',
  path: '/api/shop/key-batches/{batch}/revocation',
  params: () => z.object({ batch: pathId('id of the batch') }),
  body: () =>
    component('ShopKeyBatchRevocationBody', {
      claimed: bodyFlag('true also revokes up to 200 keys in use, with their licenses'),
      trial: bodyFlag('decide, and change nothing'),
    }),
  answer: () =>
    z.object({
      batch: batchData(),
      claims: z
        .array(z.object({ key_id: id, account_id: id, claimed_at: dateTime }))
        .describe('the first hundred keys that are in use afterwards'),
    }),
  tool: { name: 'shop_revoke_key_batch', effect: 'destroys' },
});
