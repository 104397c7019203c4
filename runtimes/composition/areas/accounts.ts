import { addAccount, findAccount, listAccounts } from '../../../application/operations/accounts.ts';

/** The operator's commands about accounts. */
export const accounts = {
  parts: {
    addAccount,
    findAccount,
    listAccounts,
  },
};
