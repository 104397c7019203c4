import type { BulkActivate } from '../../../application/devices/bulk-activate.ts';
import type { ListBundles } from '../../../application/devices/list-bundles.ts';
import type { RecordInstall } from '../../../application/devices/record-install.ts';
import type { ShowDeviceEntitlements } from '../../../application/devices/show-device-entitlements.ts';
import type { SignOutDevice } from '../../../application/devices/sign-out-device.ts';
import type { UploadUsage } from '../../../application/devices/upload-usage.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../call.ts';

export type DeviceUseCases = {
  listBundles: ListBundles;
  signOutDevice: SignOutDevice;
  bulkActivate: BulkActivate;
  showDeviceEntitlements: ShowDeviceEntitlements;
  recordInstall: RecordInstall;
  uploadUsage: UploadUsage;
};

type Answered =
  | 'listBundles'
  | 'logoutDevice'
  | 'bulkActivate'
  | 'getDeviceEntitlements'
  | 'recordInstall'
  | 'uploadUsage';

export const deviceHandlers = (use: DeviceUseCases): HandlersOf<Answered> => ({
  listBundles: async ({ key, locale }) => ok(await use.listBundles.execute({ key, locale })),
  logoutDevice: async ({ key, admitted }) => {
    await use.signOutDevice.execute({ key, admitted });
    return ok(null);
  },
  bulkActivate: async ({ key, locale, admitted }) => ok(await use.bulkActivate.execute({ key, locale, admitted })),
  getDeviceEntitlements: async ({ key, locale }) => ok(await use.showDeviceEntitlements.execute({ key, locale })),
  recordInstall: ({ key, body, admitted }) => use.recordInstall.execute({ key, report: body, admitted }),
  uploadUsage: ({ key, body, admitted }) =>
    use.uploadUsage.execute({
      key,
      consent: body.consent,
      days: body.days.map((day) => ({ ...day, commands: day.commands ?? {} })),
      admitted,
    }),
});
