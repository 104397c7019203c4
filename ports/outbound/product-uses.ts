import type { Permit } from '../../domain/access/permit.ts';
import type { ProductUse, Use } from '../../domain/devices/product-use.ts';

/** The use of a product as it was read. */
export type KnownUse = { readonly use: ProductUse; readonly version: string };

/** The uses of an account as they were read, by product id. */
export type KnownUses = ReadonlyMap<number, KnownUse>;

/** The first and last use of each product by each account. */
export interface ProductUses {
  /** The uses of every product that the account has used. */
  of(accountId: number): Promise<KnownUses>;
  /**
   * Notes uses of different products. It writes only those of a day that `known` lacks. Where another request notes a
   * use of the same product at the same time, one of the two is kept.
   */
  note(permit: Permit, accountId: number, known: KnownUses, uses: readonly Use[]): Promise<void>;
}
