import type { Account } from '../../domain/accounts/account.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';

export type Ports = { accounts: Accounts };

/** Every account, by id. */
export const listAccounts =
  ({ accounts }: Ports) =>
  (): Promise<Account[]> =>
    Array.fromAsync(accounts.list());

export type ListAccounts = ReturnType<typeof listAccounts>;
