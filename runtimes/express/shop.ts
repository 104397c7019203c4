import type { Accounts } from '../../ports/outbound/accounts.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Service } from '../composition/service.ts';
import { DEMO, DEMO_SLUG } from './demo.ts';

/** A store that has products or accounts, in words that name no person. */
export type Shop = {
  /** An account of the store; null for a store without accounts. */
  readonly accountId: number | null;
  /** The slug of a product; null for a store without products. */
  readonly product: string | null;
  /** True for the sample store of an earlier start. */
  readonly isSample: boolean;
};

/** An account and a product of the store, for the commands of the welcome. */
export const readShop = async ({
  get,
}: Service<{ readonly catalogs: Catalogs; readonly accounts: Accounts }>): Promise<Shop> => {
  const [{ products }, demo] = await Promise.all([get('catalogs').current(), get('accounts').get(DEMO.accountId)]);
  const account = demo ?? (await get('accounts').any());
  const [product] = products.values();
  const isSample = demo?.email === DEMO.email && products.get(DEMO.productId)?.slug === DEMO_SLUG;
  return { accountId: account?.id ?? null, product: product?.slug ?? null, isSample };
};

/** True for a store that has neither products nor accounts. */
export const isEmpty = ({ accountId, product }: Shop): boolean => accountId === null && product === null;
