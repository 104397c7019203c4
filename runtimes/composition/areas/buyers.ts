import { StoredAccountErasures } from '../../../adapters/store/account-erasures.ts';
import { EraseAccount } from '../../../application/operations/erase-account.ts';
import { ExtendGrant } from '../../../application/operations/extend-grant.ts';
import { ListAccountDevices } from '../../../application/operations/list-account-devices.ts';
import { ListGrants } from '../../../application/operations/list-grants.ts';
import { ReleaseAccountDevice } from '../../../application/operations/release-account-device.ts';
import { RenameAccount } from '../../../application/operations/rename-account.ts';
import { RestoreDevice } from '../../../application/operations/restore-device.ts';
import { RevokeGrant } from '../../../application/operations/revoke-grant.ts';
import { ShowAccount } from '../../../application/operations/show-account.ts';
import { SuspendAccount } from '../../../application/operations/suspend-account.ts';
import { WithdrawDevice } from '../../../application/operations/withdraw-device.ts';
import type { AccountErasures } from '../../../ports/outbound/account-erasures.ts';
import { part } from '../area.ts';

/** The operator's commands about one buyer. No Lambda function has this area. */
export const buyers = {
  parts: {
    listAccountDevices: part(ListAccountDevices),
    releaseAccountDevice: part(ReleaseAccountDevice),
    withdrawDevice: part(WithdrawDevice),
    restoreDevice: part(RestoreDevice),
    listGrants: part(ListGrants),
    revokeGrant: part(RevokeGrant),
    extendGrant: part(ExtendGrant),
    showAccount: part(ShowAccount),
    renameAccount: part(RenameAccount),
    suspendAccount: part(SuspendAccount),
    accountErasures: (parts: ConstructorParameters<typeof StoredAccountErasures>[0]): AccountErasures =>
      new StoredAccountErasures(parts),
    eraseAccount: part(EraseAccount),
  },
};
