import { UploadedFiles } from '../../../adapters/filesystem/store-files.ts';
import { listAudit } from '../../../application/audit/list-audit.ts';
import { importLicenseKeys } from '../../../application/licensing/license-keys.ts';
import { addAccount, findAccount, listAccounts } from '../../../application/operations/accounts.ts';
import { changeRelease } from '../../../application/operations/change-release.ts';
import { checkStore } from '../../../application/operations/check-store.ts';
import { importStore } from '../../../application/operations/import-store.ts';
import { describeOrder, findOrder, listShopOrders, refundOrder } from '../../../application/operations/orders.ts';
import {
  describeProduct,
  findProduct,
  listProductReleases,
  listShopProducts,
  showUsage,
} from '../../../application/operations/products.ts';
import { fileIntake, publishRelease, signReleaseUpload } from '../../../application/operations/publish-release.ts';
import { recordWriter } from '../../../application/operations/record-writer.ts';
import { setPolicy } from '../../../application/operations/set-policy.ts';
import { describeSubscription, listShopSubscriptions } from '../../../application/operations/subscriptions.ts';
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
