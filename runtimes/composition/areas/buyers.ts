import { StoredAccountErasures } from '../../../adapters/store/account-erasures.ts';
import { eraseAccount } from '../../../application/operations/erase-account.ts';
import { extendGrant } from '../../../application/operations/extend-grant.ts';
import { listAccountDevices } from '../../../application/operations/list-account-devices.ts';
import { listGrants } from '../../../application/operations/list-grants.ts';
import { releaseAccountDevice } from '../../../application/operations/release-account-device.ts';
import { renameAccount } from '../../../application/operations/rename-account.ts';
import { restoreDevice } from '../../../application/operations/restore-device.ts';
import { revokeGrant } from '../../../application/operations/revoke-grant.ts';
import { showAccount } from '../../../application/operations/show-account.ts';
import { suspendAccount } from '../../../application/operations/suspend-account.ts';
import { withdrawDevice } from '../../../application/operations/withdraw-device.ts';
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
