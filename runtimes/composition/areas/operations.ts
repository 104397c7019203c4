import { UploadedFiles } from '../../../adapters/filesystem/store-files.ts';
import { listAudit } from '../../../application/audit/list-audit.ts';
import { importLicenseKeys } from '../../../application/licensing/license-keys.ts';
import { changeRelease } from '../../../application/operations/change-release.ts';
import { checkStore } from '../../../application/operations/check-store.ts';
import { importStore } from '../../../application/operations/import-store.ts';
import { fileIntake, publishRelease, signReleaseUpload } from '../../../application/operations/publish-release.ts';
import { recordWriter } from '../../../application/operations/record-writer.ts';
import { setPolicy } from '../../../application/operations/set-policy.ts';
import { part } from '../area.ts';
import { accounts } from './accounts.ts';
import { orders } from './orders.ts';
import { products } from './products.ts';

/** The operator's commands. */
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
    ...accounts.parts,
    ...orders.parts,
    ...products.parts,
  },
};
