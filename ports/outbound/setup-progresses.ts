import type { Permit } from '../../domain/access/permit.ts';
import type { SetupProgress } from '../../domain/catalog/setup-progress.ts';

export interface SetupProgresses {
  get(accountId: number, productId: number): Promise<SetupProgress>;
  /** The account's progress by product id. Products without progress are left out. */
  ofAccount(accountId: number): Promise<ReadonlyMap<number, SetupProgress>>;
  save(permit: Permit, accountId: number, productId: number, progress: SetupProgress): Promise<void>;
}
