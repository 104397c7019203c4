import { StoredAccountErasures } from '../../../adapters/store/account-erasures.ts';
import { eraseAccount } from '../../../application/operations/accounts.ts';
import type { AccountErasures } from '../../../ports/outbound/accounts.ts';

/** Erases accounts, for operators and for owners. */
export const erasure = {
  parts: {
    accountErasures: (parts: ConstructorParameters<typeof StoredAccountErasures>[0]): AccountErasures =>
      new StoredAccountErasures(parts),
    eraseAccount,
  },
};
