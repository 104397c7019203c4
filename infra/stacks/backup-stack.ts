import { CfnOutput, Duration, Fn, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupSelection, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { type WatchedMetric, watchedBackup } from '../constructs/watched.ts';
import { tableInUse } from '../in-use.ts';
import type { Option, Stage } from '../stage.ts';
import type { DataStack } from './data-stack.ts';

/** The ARNs on which the role of AWS Backup may act. */
type BackupTargets = Readonly<Record<'table' | 'bucket', string>> & { readonly copyTo: string | undefined };

/** Allows actions of one service on a resource. */
const allow = (sid: string, service: string, names: string, resource: string): PolicyStatement =>
  new PolicyStatement({ sid, actions: names.split(' ').map((name) => `${service}:${name}`), resources: [resource] });

/**
 * The role of the backups. Its statements are those of AWS's own policies for DynamoDB and S3 ("Managed policies for
 * AWS Backup", AWS Backup Developer Guide), for one table and one bucket instead of all.
 */
const backupRole = (scope: Construct, { table, bucket, copyTo }: BackupTargets): Role => {
  const { partition, account } = Stack.of(scope);
  const role = new Role(scope, 'Role', {
    description: 'Copies the table and the files into the vault',
    assumedBy: new ServicePrincipal('backup.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': account } },
    }),
  });
  const bucketReads = 'GetBucketAcl GetBucketLocation GetBucketNotification GetBucketTagging GetBucketVersioning';
  const bucketLists = 'GetInventoryConfiguration ListBucket ListBucketVersions';
  const statements = [
    allow('Table', 'dynamodb', 'DescribeTable ListTagsOfResource StartAwsBackupJob', table),
    allow('Bucket', 's3', `${bucketReads} ${bucketLists} PutBucketNotification PutInventoryConfiguration`, bucket),
    allow(
      'Objects',
      's3',
      'GetObject GetObjectAcl GetObjectTagging GetObjectVersion GetObjectVersionAcl GetObjectVersionTagging',
      `${bucket}/*`,
    ),
    allow(
      'ChangesOfTheBucket',
      'events',
      'DeleteRule DescribeRule DisableRule EnableRule ListTargetsByRule PutRule PutTargets RemoveTargets',
      `arn:${partition}:events:*:${account}:rule/AwsBackupManagedRule*`,
    ),
    new PolicyStatement({
      sid: 'Lists',
      actions: ['cloudwatch:GetMetricData', 'events:ListRules', 's3:ListAllMyBuckets', 'tag:GetResources'],
      resources: ['*'],
    }),
  ];
  if (copyTo !== undefined) statements.push(allow('OtherVault', 'backup', 'CopyIntoBackupVault', copyTo));
  for (const statement of statements) role.addToPolicy(statement);
  return role;
};

/**
 * Copies table and files each day or week into a vault, which outlives the stack, and from there into a vault
 * elsewhere. Both copies are made in the same hour: a file that a record names was stored before the record.
 */
export class BackupStack extends Stack {
  readonly watched: readonly WatchedMetric[];

  constructor(
    scope: Construct,
    id: string,
    { stage, data, backup }: { readonly stage: Stage; readonly data: DataStack; readonly backup: Option<'backup'> },
  ) {
    super(scope, id, { terminationProtection: stage.keepData });
    this.addStackDependency(data);
    const removalPolicy = stage.keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
    const backupVaultName = `${this.stackName}-vault`;
    const vault = new BackupVault(this, 'Vault', { backupVaultName, removalPolicy });
    this.watched = watchedBackup(backupVaultName, backup.every);
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
