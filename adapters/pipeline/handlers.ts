import type { ListContentAssets } from '../../application/catalog/list-content-assets.ts';
import type { ListLibrary } from '../../application/catalog/list-library.ts';
import type { ListProducts } from '../../application/catalog/list-products.ts';
import type { OpenContentAsset } from '../../application/catalog/open-content-asset.ts';
import type { SaveSetupProgress } from '../../application/catalog/save-setup-progress.ts';
import type { ShowProduct } from '../../application/catalog/show-product.ts';
import type { ShowProductDetail } from '../../application/catalog/show-product-detail.ts';
import type { ShowSetupProgress } from '../../application/catalog/show-setup-progress.ts';
import type { CheckUpdate } from '../../application/delivery/check-update.ts';
import type { ListReleases } from '../../application/delivery/list-releases.ts';
import type { OpenBundle } from '../../application/delivery/open-bundle.ts';
import type { PlanInstall } from '../../application/delivery/plan-install.ts';
import type { BulkActivate } from '../../application/devices/bulk-activate.ts';
import type { ListBundles } from '../../application/devices/list-bundles.ts';
import type { RecordInstall } from '../../application/devices/record-install.ts';
import type { ShowDeviceEntitlements } from '../../application/devices/show-device-entitlements.ts';
import type { SignOutDevice } from '../../application/devices/sign-out-device.ts';
import type { UploadUsage } from '../../application/devices/upload-usage.ts';
import type { CheckLicense } from '../../application/licensing/check-license.ts';
import type { RevokeLicenseDevice } from '../../application/licensing/revoke-license-device.ts';
import type { ShowLicense } from '../../application/licensing/show-license.ts';
import { ok } from '../../domain/shared/outcome.ts';
import type { Handlers } from './call.ts';
import { PRODUCT_CONTENT_CSS } from './product-content-css.ts';

export type UseCases = {
  listLibrary: ListLibrary;
  listProducts: ListProducts;
  showProduct: ShowProduct;
  showProductDetail: ShowProductDetail;
  listContentAssets: ListContentAssets;
  openContentAsset: OpenContentAsset;
  showSetupProgress: ShowSetupProgress;
  saveSetupProgress: SaveSetupProgress;
  listReleases: ListReleases;
  checkUpdate: CheckUpdate;
  planInstall: PlanInstall;
  openBundle: OpenBundle;
  checkLicense: CheckLicense;
  showLicense: ShowLicense;
  revokeLicenseDevice: RevokeLicenseDevice;
  listBundles: ListBundles;
  signOutDevice: SignOutDevice;
  bulkActivate: BulkActivate;
  showDeviceEntitlements: ShowDeviceEntitlements;
  recordInstall: RecordInstall;
  uploadUsage: UploadUsage;
};

/** Which use case answers which endpoint, and with what of the call. */
const handlersOf = (use: UseCases): Handlers => ({
  getLibrary: async ({ key, locale }) => ok(await use.listLibrary.execute({ key, locale })),
  getProductContentCss: async () => ok(PRODUCT_CONTENT_CSS),
  downloadBundle: ({ product, access }) => use.openBundle.execute({ product, access }),
  listContentAssets: async ({ product }) => ok(await use.listContentAssets.execute({ product })),
  getContentAsset: ({ product, path }) => use.openContentAsset.execute({ product, path: path.path }),

  listProducts: async ({ key, locale, query }) =>
    ok(await use.listProducts.execute({ key, locale, wish: { ...query, sort: query.sort ?? 'id' } })),
  getProduct: async ({ product, access, locale }) => ok(await use.showProduct.execute({ product, access, locale })),
  getProductDetail: async ({ product, locale }) => ok(await use.showProductDetail.execute({ product, locale })),
  listReleases: async ({ product, query, locale }) =>
    ok(await use.listReleases.execute({ product, channel: query.channel ?? 'stable', locale })),
  getUpdate: ({ product, access, query, locale }) =>
    use.checkUpdate.execute({ product, access, version: query.version, locale }),

  planInstall: ({ product, access, query, locale }) =>
    use.planInstall.execute({ product, access, wish: { ...query, channel: query.channel ?? 'stable' }, locale }),

  checkLicense: ({ key, body, admitted }) => use.checkLicense.execute({ key, question: body, admitted }),
  getProductLicense: async ({ key, product, access, locale }) =>
    ok(await use.showLicense.execute({ accountId: key.account_id, product, access, locale })),
  revokeLicenseDevice: async ({ key, product, admitted }) =>
    ok(await use.revokeLicenseDevice.execute({ key, product, admitted })),

  getSetupProgress: async ({ key, product }) =>
    ok(await use.showSetupProgress.execute({ accountId: key.account_id, product })),
  saveSetupProgress: ({ key, product, body, admitted }) =>
    use.saveSetupProgress.execute({
      accountId: key.account_id,
      product,
      indexes: body.completed_step_indexes,
      admitted,
    }),

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

/** The handlers of all endpoints over their use cases. */
export class EndpointHandlers {
  readonly byId: Handlers;

  constructor(useCases: UseCases) {
    this.byId = handlersOf(useCases);
  }
}
