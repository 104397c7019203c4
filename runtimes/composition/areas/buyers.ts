import { ListAccountDevices } from '../../../application/operations/list-account-devices.ts';
import { ReleaseAccountDevice } from '../../../application/operations/release-account-device.ts';
import { RestoreDevice } from '../../../application/operations/restore-device.ts';
import { WithdrawDevice } from '../../../application/operations/withdraw-device.ts';
import { part } from '../area.ts';

/** The operator's commands about one buyer. No Lambda function has this area. */
export const buyers = {
  parts: {
    listAccountDevices: part(ListAccountDevices),
    releaseAccountDevice: part(ReleaseAccountDevice),
    withdrawDevice: part(WithdrawDevice),
    restoreDevice: part(RestoreDevice),
  },
};
