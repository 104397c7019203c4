import type { ProductContent } from '../../../domain/catalog/product.ts';
import type { SetupProgress } from '../../../domain/catalog/setup-progress.ts';
import type { PolicyInForce } from '../../../domain/policy/client-policy.ts';
import type { CatalogRecord } from '../../../ports/outbound/catalog.ts';
import type { KeyOf, Partition } from './families.ts';
import { allOfAccount, CATALOG, ofAccount, padded, productPartition } from './shared.ts';

/** The records of the catalog's partition. A product's content is stored with its releases instead. */
type ListedRecord = Exclude<CatalogRecord, { kind: 'content' }>;

type ProductProgress = { readonly product_id: number; readonly progress: SetupProgress };

/** Keys of the catalog, of each product page's content, and of each account's setup progress. */
export const catalogKeys = {
  /** All records of the catalog, and the client policy. */
  catalog: (): Partition<ListedRecord['value'] | PolicyInForce> => ({ pk: CATALOG }),
  record: <K extends ListedRecord['kind']>(
    kind: K,
    id: number,
  ): KeyOf<Extract<ListedRecord, { kind: K }>['value']> => ({
    pk: CATALOG,
    sk: `${kind.toUpperCase()}#${padded(id)}`,
  }),
  content: (product_id: number): KeyOf<ProductContent> => ({ pk: productPartition(product_id), sk: 'CONTENT' }),

  progresses: (account_id: number) => allOfAccount<ProductProgress>(account_id, 'PROGRESS#'),
  progress: (account_id: number, product_id: number) =>
    ofAccount<ProductProgress>(account_id, `PROGRESS#${padded(product_id)}`),
};

/** The client policy is in the catalog's partition, so that one query reads both. */
export const policyKey: KeyOf<PolicyInForce> = { pk: CATALOG, sk: `POLICY#${padded(0)}` };
