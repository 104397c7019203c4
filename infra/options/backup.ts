import type { Context } from '../context.ts';

/** Days for which AWS Backup keeps a copy, at home and in the other vault. */
export const BACKUP_DAYS = 35;

/** Copies of the data that AWS Backup makes each day. */
export type BackupOption = {
  /** A vault in another account or region that each copy goes to as well. */
  readonly copyTo: string | undefined;
  /** The vault's lock: nobody deletes a copy before it is so old. Undefined leaves the vault without a lock. */
  readonly lock:
    | {
        readonly days: number;
        /** Days after which nobody, the root user included, can take the lock away. Undefined lets an administrator. */
        readonly finalAfterDays: number | undefined;
      }
    | undefined;
};

const VAULT = /^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]{2,50}$/;

/** The copies that the context asks of AWS Backup; undefined where it asks for no copies. Throws one sentence for a wrong value. */
export const backupOf = (context: Context): BackupOption | undefined => {
  const copyTo = context.text('backupVaultArn');
  const days = context.whole('backupLockDays', { least: 1, most: BACKUP_DAYS });
  // AWS takes no less than three days, in which the lock can still be taken away.
  const finalAfterDays = context.whole('backupLockFinalAfterDays', { least: 3, most: 36_500 });
  const asked = context.flag('backup');
  if (copyTo !== undefined && !VAULT.test(copyTo)) {
    throw new Error(
      `-c backupVaultArn takes the ARN of a backup vault such as arn:aws:backup:eu-central-1:123456789012:backup-vault:shop; it is "${copyTo}".`,
    );
  }
  if (finalAfterDays !== undefined && days === undefined) {
    throw new Error('-c backupLockFinalAfterDays needs -c backupLockDays, because it makes that lock final.');
  }
  const lock = days === undefined ? undefined : { days, finalAfterDays };
  return asked || copyTo !== undefined || lock !== undefined ? { copyTo, lock } : undefined;
};
