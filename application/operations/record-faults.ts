import type { Product, ProductContent } from '../../domain/catalog/product.ts';
import type { ProductEntry, StoreDocument } from '../../domain/catalog/store-document.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { assetsOf, type FoundFiles } from './found-files.ts';

/** Bytes of JSON that one record may have, which is what every store can hold. */
export const MAX_RECORD_BYTES = 400_000;

/** The two records that a product is kept as. */
export const productRecords = (
  { content: { assets_dir, ...content }, ...product }: ProductEntry,
  found: FoundFiles,
): { product: Product; content: ProductContent } => ({
  product,
  content: { product_id: product.id, ...content, assets: assetsOf(assets_dir, found) },
});

export const tooLarge = (path: string, record: object): Fault[] =>
  Buffer.byteLength(JSON.stringify(record)) > MAX_RECORD_BYTES
    ? [
        {
          path,
          message: `is larger than the ${MAX_RECORD_BYTES} bytes that a store holds in one piece; shorten its texts`,
        },
      ]
    : [];

/** Faults of what no store could hold. Whatever isn't looked at here is kept small by the document's own bounds. */
export const recordFaults = ({ products, policy }: StoreDocument, found: FoundFiles): Fault[] => [
  ...products.flatMap((entry, i) => {
    const { product, content } = productRecords(entry, found);
    return [...tooLarge(`products.${i}`, product), ...tooLarge(`products.${i}.content`, content)];
  }),
  ...(policy ? tooLarge('policy', policy) : []),
];
