import { CfnOutput, Duration, Fn, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupSelection, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { backupRole } from '../permissions/allow-backup.ts';
import type { Option, Stage } from '../stage.ts';
import { tableInUse } from '../table-in-use.ts';
import type { DataStack } from './data-stack.ts';

export type BackupStackProps = StackProps & {
  readonly stage: Stage;
  readonly data: DataStack;
  readonly backup: Option<'backup'>;
};

/**
 * Copies table and files each day or week into a vault, which outlives the stack, and from there into a vault elsewhere. The
 * copies of both are taken in one hour, a moment apart: a file that a record names was stored before the record.
 */
export class BackupStack extends Stack {
  constructor(scope: Construct, id: string, { stage, data, backup, ...props }: BackupStackProps) {
    super(scope, id, { ...props, terminationProtection: stage.keepData });
    this.addStackDependency(data);
    const removalPolicy = stage.keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
    const vault = new BackupVault(this, 'Vault', { backupVaultName: `${this.stackName}-vault`, removalPolicy });
    const plan = new BackupPlan(this, 'Plan', {
      backupPlanName: this.stackName,
      backupPlanRules: [this.#rule(vault, backup)],
    });
    const { tableArn } = tableInUse(this, stage);
    const bucketArn = Fn.importValue(data.objectsExport);
    const role = backupRole(this, { table: tableArn, bucket: bucketArn, copyTo: backup.copyTo });
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

  #rule(vault: BackupVault, { every, keepDays, copyTo }: Option<'backup'>): BackupPlanRule {
    const deleteAfter = Duration.days(keepDays);
    return new BackupPlanRule({
      ruleName: every,
      backupVault: vault,
      scheduleExpression: Schedule.cron({ hour: '3', minute: '0', ...(every === 'week' && { weekDay: 'SUN' }) }),
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
