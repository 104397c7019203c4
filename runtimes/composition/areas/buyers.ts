import { StoredAccountErasures } from '../../../adapters/store/account-erasures.ts';
import { eraseAccount, renameAccount, suspendAccount } from '../../../application/operations/accounts.ts';
import {
  listAccountDevices,
  releaseAccountDevice,
  restoreDevice,
  withdrawDevice,
} from '../../../application/operations/devices.ts';
import { extendGrant, listGrants, revokeGrant } from '../../../application/operations/grants.ts';
import { showAccount } from '../../../application/operations/show-account.ts';
import type { AccountErasures } from '../../../ports/outbound/accounts.ts';

/** The operator's commands about one buyer. */
export const buyers = {
  parts: {
    listAccountDevices,
    releaseAccountDevice,
    withdrawDevice,
    restoreDevice,
    listGrants,
    revokeGrant,
    extendGrant,
    showAccount,
    renameAccount,
    suspendAccount,
    accountErasures: (parts: ConstructorParameters<typeof StoredAccountErasures>[0]): AccountErasures =>
      new StoredAccountErasures(parts),
    eraseAccount,
  },
};
