import type { BulkActivate } from '../../../application/devices/bulk-activate.ts';
import type { ListBundles } from '../../../application/devices/list-bundles.ts';
import type { RecordInstall } from '../../../application/devices/record-install.ts';
import type { ShowDeviceEntitlements } from '../../../application/devices/show-device-entitlements.ts';
import type { SignOutDevice } from '../../../application/devices/sign-out-device.ts';
import type { UploadUsage } from '../../../application/devices/upload-usage.ts';
import { keyOf } from '../../../domain/access/principal.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../handler.ts';

export type UseCases = {
  readonly listBundles: ListBundles;
  readonly signOutDevice: SignOutDevice;
  readonly bulkActivate: BulkActivate;
  readonly showDeviceEntitlements: ShowDeviceEntitlements;
  readonly recordInstall: RecordInstall;
  readonly uploadUsage: UploadUsage;
};

export type Answered =
  | 'listBundles'
  | 'logoutDevice'
  | 'bulkActivate'
  | 'getDeviceEntitlements'
  | 'recordInstall'
  | 'uploadUsage';

export const devicesHandlers = (use: UseCases): HandlersOf<Answered> => ({
  listBundles: async ({ caller, locale }) =>
    ok(await use.listBundles({ accountId: caller.account_id, scope: caller, locale })),
  logoutDevice: async ({ key, permit }) => ok(await use.signOutDevice({ key, permit })),
  bulkActivate: ({ key, locale, requestName, permit }) => use.bulkActivate({ key, locale, requestName, permit }),
  getDeviceEntitlements: async ({ caller, locale }) => ok(await use.showDeviceEntitlements({ caller, locale })),
  recordInstall: ({ caller, body, permit }) =>
    use.recordInstall({
      accountId: caller.account_id,
      scope: caller,
      keyId: keyOf(caller)?.id ?? null,
      report: body,
      permit,
    }),
  uploadUsage: ({ caller, key, body, permit }) =>
    use.uploadUsage({
      accountId: caller.account_id,
      scope: caller,
      keyId: key.id,
      consent: body.consent,
      days: body.days,
      permit,
    }),
});
