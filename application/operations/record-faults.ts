import { picturesNamed } from '../../domain/catalog/pictures.ts';
import type { Product, ProductContent } from '../../domain/catalog/product.ts';
import type { ProductEntry, StoreDocument } from '../../domain/operations/store-document.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { assetsOf, type FoundFiles } from './document-files.ts';

/** The most bytes of JSON in one record. Every store can hold this size. */
export const MAX_RECORD_BYTES = 400_000;

/** The two records that a product is stored as. */
export const productRecords = (
  { content: { assets_dir, ...content }, ...product }: ProductEntry,
  found: FoundFiles,
): { product: Product; content: ProductContent } => {
  const assets = assetsOf(assets_dir, found);
  const pictures = picturesNamed(product.thumbnail_html, assets);
  return {
    product: pictures.length === 0 ? product : { ...product, pictures },
    content: { product_id: product.id, ...content, assets },
  };
};

export const tooLarge = (path: string, record: object): Fault[] =>
  Buffer.byteLength(JSON.stringify(record)) > MAX_RECORD_BYTES
    ? [
        {
          path,
          message: `is larger than the ${MAX_RECORD_BYTES} bytes that a store holds in one piece; shorten its texts`,
        },
      ]
    : [];

/** Faults of records that are larger than a store can hold. The schema of the document bounds all other records. */
export const recordFaults = ({ products, policy }: StoreDocument, found: FoundFiles): Fault[] => [
  ...products.flatMap((entry, i) => {
    const { product, content } = productRecords(entry, found);
    return [...tooLarge(`products.${i}`, product), ...tooLarge(`products.${i}.content`, content)];
  }),
  ...(policy ? tooLarge('policy', policy) : []),
];
