import { UploadedFiles } from '../../../adapters/filesystem/store-files.ts';
import { fileIntake, publishRelease, signReleaseUpload } from '../../../application/delivery/releases.ts';
import { exportOffline } from '../../../application/licensing/export-offline.ts';
import { importLicenseKeys } from '../../../application/licensing/license-keys.ts';
import { setPolicy } from '../../../application/policy/set-policy.ts';
import { exportStore } from '../../../application/store-document/export-store.ts';
import { checkStore, importStore } from '../../../application/store-document/import-store.ts';
import { recordWriter } from '../../../application/store-document/record-writer.ts';
import { checkFiles, findStoredFiles, mendFiles } from '../../../application/store-document/stored-files.ts';
import { part } from '../area.ts';

/**
 * The check and the import of a store document, and other writes under the same rules: earlier license keys, a release,
 * the policy.
 */
export const storeDocument = {
  parts: {
    fileIntake,
    uploadedFiles: part(UploadedFiles),
    recordWriter,
    checkStore,
    importStore,
    importLicenseKeys,
    signReleaseUpload,
    publishRelease,
    setPolicy,
  },
};

/** The export of a store, and the check and repair of its files. It needs the areas whose records name files. */
export const storedFiles = {
  parts: { exportOffline, exportStore, findStoredFiles, checkFiles, mendFiles },
};
