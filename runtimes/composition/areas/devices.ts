import { bulkActivate } from '../../../application/devices/bulk-activate.ts';
import { listBundles, showDeviceEntitlements } from '../../../application/devices/entitlements.ts';
import { signOutDevice } from '../../../application/devices/sign-out.ts';
import { recordInstall, uploadUsage } from '../../../application/devices/usage.ts';
import { keyOf } from '../../../domain/access/principal.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import * as apiDevices from '../../../ports/inbound/api/devices.ts';
import { area } from '../area.ts';

/** Bundles, sign-out, activation, entitlements, installs and usage of devices. */
export const devices = area({
  parts: {
    listBundles,
    signOutDevice,
    bulkActivate,
    showDeviceEntitlements,
    recordInstall,
    uploadUsage,
  },
  endpoints: apiDevices,
  handlers: (use) => ({
    listBundles: async ({ caller, locale }) =>
      ok(await use.listBundles({ account_id: caller.account_id, scope: caller, locale })),
    logoutDevice: ({ key }) => use.signOutDevice({ key }),
    bulkActivate: ({ key, locale, requestName }) => use.bulkActivate({ key, locale, requestName }),
    getDeviceEntitlements: async ({ caller, locale }) => ok(await use.showDeviceEntitlements({ caller, locale })),
    recordInstall: ({ caller, body }) =>
      use.recordInstall({
        account_id: caller.account_id,
        scope: caller,
        key_id: keyOf(caller)?.id ?? null,
        report: body,
      }),
    uploadUsage: ({ caller, key, body }) =>
      use.uploadUsage({
        account_id: caller.account_id,
        scope: caller,
        key_id: key.id,
        consent: body.consent,
        days: body.days,
      }),
  }),
});
