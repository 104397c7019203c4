import type { SetupProgress } from '../../domain/catalog/setup-progress.ts';

export interface SetupProgresses {
  get(accountId: number, productId: number): Promise<SetupProgress>;
  /** By product id; products without progress are left out. */
  ofAccount(accountId: number): Promise<ReadonlyMap<number, SetupProgress>>;
  save(accountId: number, productId: number, progress: SetupProgress): Promise<void>;
}
