import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import type { ErasureCounts } from '../../domain/accounts/erasure.ts';

/** The erasure of accounts, whose records lie all over the store. */
export interface AccountErasures {
  /**
   * Removes the account itself and marks it as erased, in one step; false, with nothing written, where it has changed
   * since it was read. From then on nobody signs in to it, and no key, session, link, application, or account with its
   * number is made, not even by a request that is under way.
   */
  begin(permit: Permit, account: Account): Promise<boolean>;
  /** Counts what an erasure would remove and leave. */
  survey(accountId: number): Promise<ErasureCounts>;
  /** Removes all that goes, and notes the end in the mark. A sweep that broke off is completed by another one. */
  sweep(permit: Permit, accountId: number): Promise<ErasureCounts>;
}
