import type { Accounts } from '../../ports/outbound/accounts.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Service } from '../composition/service.ts';

/** True for a store that has neither products nor accounts. */
export const isEmptyStore = async ({
  get,
}: Service<{ readonly catalogs: Catalogs; readonly accounts: Accounts }>): Promise<boolean> => {
  const { products } = await get('catalogs').current();
  if (products.size > 0) return false;
  for await (const _account of get('accounts').list()) return false;
  return true;
};
