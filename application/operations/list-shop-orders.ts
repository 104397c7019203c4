import { newestOrdersFirst, type Order, type OrderStatus } from '../../domain/billing/order.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { accountMissing } from './find-account.ts';
import { eachAccount, type Progress, unseen } from './progress.ts';

export type Ports = Needs<'accounts' | 'storedOrders'>;

export type Input = {
  /** Null lists the orders of every account. */
  readonly account_id: number | null;
  readonly status: OrderStatus | null;
  /** Only orders from this moment on. */
  readonly since: Instant | null;
  readonly limit: number;
  readonly progress?: Progress;
};

/**
 * The newest orders of an account, or of the shop. Orders lie by account, so that those of the shop are found by
 * reading every account; memory holds `limit` orders and those of the accounts that are just read.
 */
export const listShopOrders =
  ({ accounts, storedOrders }: Ports) =>
  async ({
    account_id,
    status,
    since,
    limit,
    progress = unseen,
  }: Input): Promise<Outcome<readonly Order[], 'account_not_found'>> => {
    let newest: Order[] = [];
    const read = async (id: number): Promise<void> => {
      const found = (await storedOrders.ofAccount(id)).filter(
        (order) => (status === null || order.status === status) && (since === null || order.ordered_at >= since),
      );
      newest = newestOrdersFirst([...newest, ...found]).slice(0, limit);
    };
    if (account_id === null) {
      await eachAccount(accounts, progress, read);
      return ok(newest);
    }
    if (!(await accounts.get(account_id))) return accountMissing(account_id);
    await read(account_id);
    return ok(newest);
  };

export type ListShopOrders = ReturnType<typeof listShopOrders>;
