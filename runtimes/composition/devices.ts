import { BulkActivate } from '../../application/devices/bulk-activate.ts';
import { ListBundles } from '../../application/devices/list-bundles.ts';
import { RecordInstall } from '../../application/devices/record-install.ts';
import { ShowDeviceEntitlements } from '../../application/devices/show-device-entitlements.ts';
import { SignOutDevice } from '../../application/devices/sign-out-device.ts';
import { UploadUsage } from '../../application/devices/upload-usage.ts';
import { areaModule, type Overrides } from './binder.ts';

export const devices = (overrides: Overrides) =>
  areaModule(overrides, (binder) =>
    binder
      .part('listBundles', ListBundles, ({ catalogs, licenses, clock }) => ({ catalogs, licenses, clock }))
      .part('signOutDevice', SignOutDevice, ({ revokeApiKey }) => ({ revokeApiKey }))
      .part('bulkActivate', BulkActivate, (part) => ({
        apiKeys: part.apiKeys,
        catalogs: part.catalogs,
        licenses: part.licenses,
        keySecrets: part.keySecrets,
        ids: part.ids,
        clock: part.clock,
        pauses: part.pauses,
        revokeApiKey: part.revokeApiKey,
      }))
      .part('showDeviceEntitlements', ShowDeviceEntitlements, ({ accounts, apiKeys, catalogs, licenses, clock }) => ({
        accounts,
        apiKeys,
        catalogs,
        licenses,
        clock,
      }))
      .part('recordInstall', RecordInstall, ({ catalogs, installs, readAccess, ids, clock }) => ({
        catalogs,
        installs,
        readAccess,
        ids,
        clock,
      }))
      .part('uploadUsage', UploadUsage, ({ catalogs, licenses, usage, clock }) => ({
        catalogs,
        licenses,
        usage,
        clock,
      })),
  );
