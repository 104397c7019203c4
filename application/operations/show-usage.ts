import { emptyDays, type UsageSum, withAccount } from '../../domain/devices/usage.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { accountMissing } from './find-account.ts';
import type { FindProduct } from './find-product.ts';
import { eachAccount, type Progress, unseen } from './progress.ts';

export type Ports = Needs<'accounts' | 'clock' | 'usage'> & { findProduct: FindProduct };

export type Input = {
  /** Id or slug of a product; null is every product. */
  readonly product: string | null;
  /** Null is every account. */
  readonly account_id: number | null;
  /** The number of days up to today (UTC). */
  readonly days: number;
  readonly progress?: Progress;
};

export type ShownUsage = {
  readonly product_id: number | null;
  readonly account_id: number | null;
  /** Oldest first. */
  readonly days: readonly UsageSum[];
};

/**
 * The use of a product, of an account, or of a product by an account, day by day. Rows of use lie by account, so that
 * the use of a product by everybody is found by reading every account; memory holds one number of each kind for each
 * day, and the rows of the accounts that are just read.
 */
export const showUsage =
  ({ findProduct, accounts, usage, clock }: Ports) =>
  async (input: Input): Promise<Outcome<ShownUsage, 'product_not_found' | 'account_not_found'>> => {
    const { account_id, progress = unseen } = input;
    const found = input.product === null ? ok(null) : await findProduct(input.product);
    if (!found.ok) return found;
    const product_id = found.value?.id ?? null;
    if (account_id !== null && !(await accounts.get(account_id))) {
      return accountMissing(account_id);
    }
    let days = emptyDays(clock.now(), input.days);
    const since = days[0]?.date ?? null;
    const read = async (id: number): Promise<void> => {
      const rows = await Array.fromAsync(usage.list(id, { product_id, since }));
      if (rows.length > 0) days = withAccount(days, rows);
    };
    await (account_id === null ? eachAccount(accounts, progress, read) : read(account_id));
    return ok({ product_id, account_id, days });
  };

export type ShowUsage = ReturnType<typeof showUsage>;
