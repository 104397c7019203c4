import { UploadedFiles } from '../../../adapters/filesystem/store-files.ts';
import { addAccount, findAccount, listAccounts } from '../../../application/accounts/accounts.ts';
import { listAudit } from '../../../application/audit/list-audit.ts';
import {
  describeOrder,
  describeSubscription,
  findOrder,
  listShopOrders,
  listShopSubscriptions,
  refundOrder,
} from '../../../application/billing/shop-orders.ts';
import {
  describeProduct,
  findProduct,
  listProductReleases,
  listShopProducts,
  showUsage,
} from '../../../application/catalog/shop-products.ts';
import {
  changeRelease,
  fileIntake,
  publishRelease,
  signReleaseUpload,
} from '../../../application/delivery/releases.ts';
import { importLicenseKeys } from '../../../application/licensing/license-keys.ts';
import { setPolicy } from '../../../application/policy/set-policy.ts';
import { checkStore, importStore } from '../../../application/store-document/import-store.ts';
import { recordWriter } from '../../../application/store-document/record-writer.ts';
import { part } from '../area.ts';

/** The operator's commands, but those about one buyer. */
export const operations = {
  parts: {
    fileIntake,
    signReleaseUpload,
    uploadedFiles: part(UploadedFiles),
    recordWriter,
    checkStore,
    importLicenseKeys,
    importStore,
    publishRelease,
    changeRelease,
    setPolicy,
    listAudit,
    addAccount,
    findAccount,
    listAccounts,
    findOrder,
    describeOrder,
    listShopOrders,
    refundOrder,
    listShopSubscriptions,
    describeSubscription,
    findProduct,
    listProductReleases,
    listShopProducts,
    describeProduct,
    showUsage,
  },
};
