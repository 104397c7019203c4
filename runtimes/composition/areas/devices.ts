import { devicesHandlers } from '../../../adapters/pipeline/handlers/devices.ts';
import { bulkActivate } from '../../../application/devices/bulk-activate.ts';
import { listBundles } from '../../../application/devices/list-bundles.ts';
import { recordInstall } from '../../../application/devices/record-install.ts';
import { showDeviceEntitlements } from '../../../application/devices/show-device-entitlements.ts';
import { signOutDevice } from '../../../application/devices/sign-out-device.ts';
import { uploadUsage } from '../../../application/devices/upload-usage.ts';
import * as apiDevices from '../../../ports/inbound/api/devices.ts';

/** Bundles, sign-out, activation, entitlements, installs and usage of devices. */
export const devices = {
  parts: {
    listBundles,
    signOutDevice,
    bulkActivate,
    showDeviceEntitlements,
    recordInstall,
    uploadUsage,
  },
  endpoints: apiDevices,
  handlers: devicesHandlers,
};
