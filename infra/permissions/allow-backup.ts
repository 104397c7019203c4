import { Stack } from 'aws-cdk-lib';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** The ARNs that the role of AWS Backup may touch. */
export type BackupTargets = Readonly<Record<'table' | 'bucket', string>> & { readonly copyTo: string | undefined };

const allow = (sid: string, actions: readonly string[], ...resources: readonly string[]): PolicyStatement =>
  new PolicyStatement({ sid, effect: Effect.ALLOW, actions: [...actions], resources: [...resources] });

/**
 * The role of the backups. Its statements are those of AWS's own policies for DynamoDB and S3 ("Managed policies for
 * AWS Backup", AWS Backup Developer Guide), for one table and one bucket in place of all.
 */
export const backupRole = (scope: Construct, { table, bucket, copyTo }: BackupTargets): Role => {
  const { partition, account } = Stack.of(scope);
  const role = new Role(scope, 'Role', {
    description: 'Copies the table and the files into the vault',
    assumedBy: new ServicePrincipal('backup.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': account } },
    }),
  });
  const statements = [
    allow('Table', ['dynamodb:DescribeTable', 'dynamodb:ListTagsOfResource', 'dynamodb:StartAwsBackupJob'], table),
    allow(
      'Bucket',
      [
        's3:GetBucketAcl',
        's3:GetBucketLocation',
        's3:GetBucketNotification',
        's3:GetBucketTagging',
        's3:GetBucketVersioning',
        's3:GetInventoryConfiguration',
        's3:ListBucket',
        's3:ListBucketVersions',
        's3:PutBucketNotification',
        's3:PutInventoryConfiguration',
      ],
      bucket,
    ),
    allow(
      'Objects',
      [
        's3:GetObject',
        's3:GetObjectAcl',
        's3:GetObjectTagging',
        's3:GetObjectVersion',
        's3:GetObjectVersionAcl',
        's3:GetObjectVersionTagging',
      ],
      `${bucket}/*`,
    ),
    allow(
      'ChangesOfTheBucket',
      [
        'events:DeleteRule',
        'events:DescribeRule',
        'events:DisableRule',
        'events:EnableRule',
        'events:ListTargetsByRule',
        'events:PutRule',
        'events:PutTargets',
        'events:RemoveTargets',
      ],
      `arn:${partition}:events:*:${account}:rule/AwsBackupManagedRule*`,
    ),
    allow('Lists', ['cloudwatch:GetMetricData', 'events:ListRules', 's3:ListAllMyBuckets', 'tag:GetResources'], '*'),
  ];
  if (copyTo !== undefined) statements.push(allow('OtherVault', ['backup:CopyIntoBackupVault'], copyTo));
  for (const statement of statements) role.addToPolicy(statement);
  return role;
};
