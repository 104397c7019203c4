import { EndpointHandlers } from '../../adapters/pipeline/handlers.ts';
import { Invoker } from '../../adapters/pipeline/invoke.ts';
import { areaModule, type Overrides } from './binder.ts';

/** The way into the endpoints. */
export const inbound = (overrides: Overrides) =>
  areaModule(overrides, (binder) =>
    binder
      .part('endpointHandlers', EndpointHandlers, (part) => ({
        listLibrary: part.listLibrary,
        listProducts: part.listProducts,
        showProduct: part.showProduct,
        showProductDetail: part.showProductDetail,
        listContentAssets: part.listContentAssets,
        openContentAsset: part.openContentAsset,
        showSetupProgress: part.showSetupProgress,
        saveSetupProgress: part.saveSetupProgress,
        listReleases: part.listReleases,
        checkUpdate: part.checkUpdate,
        planInstall: part.planInstall,
        openBundle: part.openBundle,
        checkLicense: part.checkLicense,
        showLicense: part.showLicense,
        revokeLicenseDevice: part.revokeLicenseDevice,
        listBundles: part.listBundles,
        signOutDevice: part.signOutDevice,
        bulkActivate: part.bulkActivate,
        showDeviceEntitlements: part.showDeviceEntitlements,
        recordInstall: part.recordInstall,
        uploadUsage: part.uploadUsage,
        receiveErrorReport: part.receiveErrorReport,
        receiveSupportReport: part.receiveSupportReport,
        listInvoices: part.listInvoices,
        listOrders: part.listOrders,
        showOrder: part.showOrder,
        listPaymentMethods: part.listPaymentMethods,
        listSubscriptions: part.listSubscriptions,
        checkAppsSubscription: part.checkAppsSubscription,
        showClientConfig: part.showClientConfig,
        showAppcast: part.showAppcast,
        downloadRelease: part.downloadRelease,
        showPipeline: part.showPipeline,
        listLineages: part.listLineages,
        showLineage: part.showLineage,
        showDisclosure: part.showDisclosure,
      }))
      .part(
        'invoker',
        Invoker,
        ({ answerOnce, authenticate, limitRate, readAccess, recordKeyUse, catalogs, endpointHandlers }) => ({
          answerOnce,
          authenticate,
          limitRate,
          readAccess,
          recordKeyUse,
          catalogs,
          endpointHandlers,
        }),
      ),
  );
