import { ListAudit } from '../../../application/audit/list-audit.ts';
import { ChangeRelease } from '../../../application/operations/change-release.ts';
import { CheckStore } from '../../../application/operations/check-store.ts';
import { FileIntake } from '../../../application/operations/file-intake.ts';
import { ImportStore } from '../../../application/operations/import-store.ts';
import { PublishRelease } from '../../../application/operations/publish-release.ts';
import { RecordWriter } from '../../../application/operations/record-writer.ts';
import { ReleaseWriter } from '../../../application/operations/release-writer.ts';
import { SetPolicy } from '../../../application/operations/set-policy.ts';
import { part } from '../area.ts';
import { accounts } from './accounts.ts';
import { orders } from './orders.ts';
import { products } from './products.ts';

/** The operator's commands. No Lambda function has this area. */
export const operations = {
  parts: {
    fileIntake: part(FileIntake),
    recordWriter: part(RecordWriter),
    releaseWriter: part(ReleaseWriter),
    checkStore: part(CheckStore),
    importStore: part(ImportStore),
    publishRelease: part(PublishRelease),
    changeRelease: part(ChangeRelease),
    setPolicy: part(SetPolicy),
    listAudit: part(ListAudit),
    ...accounts.parts,
    ...orders.parts,
    ...products.parts,
  },
};
