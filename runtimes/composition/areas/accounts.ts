import { AddAccount } from '../../../application/operations/add-account.ts';
import { FindAccount } from '../../../application/operations/find-account.ts';
import { ListAccounts } from '../../../application/operations/list-accounts.ts';
import { part } from '../area.ts';

/** The operator's commands about accounts. */
export const accounts = {
  parts: {
    addAccount: part(AddAccount),
    findAccount: part(FindAccount),
    listAccounts: part(ListAccounts),
  },
};
