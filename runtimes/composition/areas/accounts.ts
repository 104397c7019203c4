import { addAccount } from '../../../application/operations/add-account.ts';
import { findAccount } from '../../../application/operations/find-account.ts';
import { listAccounts } from '../../../application/operations/list-accounts.ts';

/** The operator's commands about accounts. */
export const accounts = {
  parts: {
    addAccount,
    findAccount,
    listAccounts,
  },
};
