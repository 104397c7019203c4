import { renameAccount, suspendAccount } from '../../../application/operations/accounts.ts';
import {
  listAccountDevices,
  releaseAccountDevice,
  restoreDevice,
  withdrawDevice,
} from '../../../application/operations/devices.ts';
import { extendGrant, listGrants, revokeGrant } from '../../../application/operations/grants.ts';
import { showAccount } from '../../../application/operations/show-account.ts';
import { erasure } from './erasure.ts';

/** The operator's commands about one buyer. */
export const buyers = {
  parts: {
    ...erasure.parts,
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
  },
};
