import { UploadedFiles } from '../../../adapters/filesystem/store-files.ts';
import { listAudit } from '../../../application/audit/list-audit.ts';
import { importLicenseKeys } from '../../../application/licensing/license-keys.ts';
import { addAccount, findAccount, listAccounts } from '../../../application/operations/accounts.ts';
import { checkStore, importStore } from '../../../application/operations/import-store.ts';
import {
  describeOrder,
  describeSubscription,
  findOrder,
  listShopOrders,
  listShopSubscriptions,
  refundOrder,
} from '../../../application/operations/orders.ts';
import {
  describeProduct,
  findProduct,
  listProductReleases,
  listShopProducts,
  showUsage,
} from '../../../application/operations/products.ts';
import { recordWriter } from '../../../application/operations/record-writer.ts';
import {
  changeRelease,
  fileIntake,
  publishRelease,
  signReleaseUpload,
} from '../../../application/operations/releases.ts';
import { setPolicy } from '../../../application/operations/set-policy.ts';
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
