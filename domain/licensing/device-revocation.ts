import type { ApiKey } from '../access/api-key.ts';

const sentenceOf = ({ device }: Pick<ApiKey, 'device'>, released: boolean, manageUrl: string): string => {
  if (released) return 'This key is revoked, and its device gave back its slot of this product.';
  return device === null
    ? `This key is revoked. It was tied to no device, so no slot was released; release one at ${manageUrl}.`
    : 'This key is revoked. Its device held no slot of this product, so none was released.';
};

/** The answer to a device that gave up a product by its own key. It says whether a slot became free. */
export const revocationView = (
  key: Pick<ApiKey, 'prefix' | 'device'>,
  productId: number,
  released: boolean,
  manageUrl: string,
) => ({
  revoked: true,
  product_id: productId,
  key_prefix: key.prefix,
  released_device_id: released ? (key.device?.device_id ?? null) : null,
  message: sentenceOf(key, released, manageUrl),
});
