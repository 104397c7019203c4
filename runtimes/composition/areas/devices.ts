import { devicesHandlers } from '../../../adapters/pipeline/handlers/devices.ts';
import { BulkActivate } from '../../../application/devices/bulk-activate.ts';
import { ListBundles } from '../../../application/devices/list-bundles.ts';
import { RecordInstall } from '../../../application/devices/record-install.ts';
import { ShowDeviceEntitlements } from '../../../application/devices/show-device-entitlements.ts';
import { SignOutDevice } from '../../../application/devices/sign-out-device.ts';
import { UploadUsage } from '../../../application/devices/upload-usage.ts';
import * as apiDevices from '../../../ports/inbound/api/devices.ts';
import { part } from '../area.ts';

/** Bundles, sign-out, activation, entitlements, installs and usage of devices. */
export const devices = {
  parts: {
    listBundles: part(ListBundles),
    signOutDevice: part(SignOutDevice),
    bulkActivate: part(BulkActivate),
    showDeviceEntitlements: part(ShowDeviceEntitlements),
    recordInstall: part(RecordInstall),
    uploadUsage: part(UploadUsage),
  },
  endpoints: apiDevices,
  handlers: devicesHandlers,
};
