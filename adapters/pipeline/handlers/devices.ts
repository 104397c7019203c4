import { bulkActivate } from '../../../application/devices/bulk-activate.ts';
import { listBundles, showDeviceEntitlements } from '../../../application/devices/entitlements.ts';
import { signOutDevice } from '../../../application/devices/sign-out.ts';
import { recordInstall, uploadUsage } from '../../../application/devices/usage.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import * as apiDevices from '../../../ports/inbound/api/devices.ts';
import { handling } from './handling.ts';

export const devicesHandlers = handling(
  apiDevices,
  { listBundles, signOutDevice, bulkActivate, showDeviceEntitlements, recordInstall, uploadUsage },
  (use) => ({
    listBundles: async (call) => ok(await use.listBundles(call)),
    logoutDevice: (call) => use.signOutDevice(call),
    bulkActivate: (call) => use.bulkActivate(call),
    getDeviceEntitlements: async (call) => ok(await use.showDeviceEntitlements(call)),
    recordInstall: (call) => use.recordInstall(call),
    uploadUsage: (call) => use.uploadUsage(call),
  }),
);
