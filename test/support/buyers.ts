import {
  limitAccount,
  mergeAccounts,
  renameAccount,
  showAccount,
  suspendAccount,
} from '../../application/accounts/accounts.ts';
import {
  listAccountDevices,
  releaseAccountDevice,
  restoreDevice,
  withdrawDevice,
} from '../../application/devices/account-devices.ts';
import { extendGrant, listGrants, revokeGrant } from '../../application/licensing/grants.ts';
import { erasure } from '../../runtimes/composition/areas/accounts.ts';
import { oauth, signInRecords } from '../../runtimes/composition/areas/sign-in-records.ts';
import { shopRecords } from './shop-records.ts';

/** The calls by which the store's staff serves one buyer. */
export const buyers = {
  parts: {
    ...erasure.parts,
    mergeAccounts,
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
    limitAccount,
  },
};

/** The areas about one buyer. */
export const BUYERS = [shopRecords, signInRecords, oauth, buyers] as const;
