import { CfnOutput, Duration, Fn, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupSelection,
  BackupVault,
  type LockConfiguration,
} from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { BACKUP_DAYS, type BackupOption } from '../options/backup.ts';
import { backupRole } from '../permissions/allow-backup.ts';
import type { Stage } from '../stage.ts';
import { tableInUse } from '../table-in-use.ts';
import type { DataStack } from './data-stack.ts';

export type BackupStackProps = StackProps & {
  readonly stage: Stage;
  readonly data: DataStack;
  readonly backup: BackupOption;
};

const lockOf = ({ lock }: BackupOption): LockConfiguration | undefined =>
  lock && {
    minRetention: Duration.days(lock.days),
    ...(lock.finalAfterDays !== undefined && { changeableFor: Duration.days(lock.finalAfterDays) }),
  };

/**
 * Copies table and files each day into a vault, which outlives the stack, and from there into a vault elsewhere. The
 * copies of both are taken in one hour, a moment apart: a file that a record names was stored before the record.
 */
export class BackupStack extends Stack {
  constructor(scope: Construct, id: string, { stage, data, backup, ...props }: BackupStackProps) {
    super(scope, id, { ...props, terminationProtection: stage.keepData });
    this.addStackDependency(data);
    const removalPolicy = stage.keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
    const lockConfiguration = lockOf(backup);
    const vault = new BackupVault(this, 'Vault', {
      backupVaultName: `${this.stackName}-vault`,
      removalPolicy,
      ...(data.key && { encryptionKey: data.key }),
      ...(lockConfiguration && { lockConfiguration }),
    });
    const plan = new BackupPlan(this, 'Plan', {
      backupPlanName: this.stackName,
      backupPlanRules: [this.#daily(vault, backup)],
    });
    const { tableArn } = tableInUse(this, stage);
    const bucketArn = Fn.importValue(data.objectsExport);
    const role = backupRole(this, { table: tableArn, bucket: bucketArn, copyTo: backup.copyTo, key: data.key?.keyArn });
    Validations.of(role).acknowledge(
      ...[
        `Resource::${data.objectsExport}/*`,
        'Resource::*',
        'Resource::arn:<AWS::Partition>:events:*:<AWS::AccountId>:rule/AwsBackupManagedRule*',
      ].map((finding) => ({
        id: `AwsSolutions-IAM5[${finding}]`,
        reason:
          'AWS Backup reads every file of the one bucket, names its own rules, and lists what no single resource stands for.',
      })),
    );
    new BackupSelection(this, 'Selection', {
      backupPlan: plan,
      role,
      disableDefaultBackupPolicy: true,
      resources: [BackupResource.fromArn(tableArn), BackupResource.fromArn(bucketArn)],
    });
    new CfnOutput(this, 'VaultName', { value: vault.backupVaultName });
    new CfnOutput(this, 'BackupRoleArn', { value: role.roleArn });
  }

  #daily(vault: BackupVault, { copyTo }: BackupOption): BackupPlanRule {
    const deleteAfter = Duration.days(BACKUP_DAYS);
    return new BackupPlanRule({
      ruleName: 'daily',
      backupVault: vault,
      scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
      startWindow: Duration.hours(1),
      completionWindow: Duration.days(1),
      deleteAfter,
      ...(copyTo !== undefined && {
        copyActions: [
          { destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'Elsewhere', copyTo), deleteAfter },
        ],
      }),
    });
  }
}
