import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { PROJECT } from '../../test/tools/documents/read.ts';
import { type Given, resourcesOf, stacksOf, synthesized } from './synthesized.ts';

const ELSEWHERE = 'arn:aws:backup:eu-central-1:210987654321:backup-vault:shop';

describe('the stack of backups', () => {
  const prod = synthesized({ stage: 'prod', backup: { copyTo: ELSEWHERE } });

  test('the stack of backups is absent until the settings ask for it', () => {
    const has = (given: Given) => stacksOf(given).backup !== undefined;
    expect([has({}), has({ backup: {} })]).toEqual([false, true]);
  });

  test('a copy is made every day, kept for 35 days, and sent to the other vault for as long', () => {
    const Lifecycle = { DeleteAfterDays: 35 };
    prod.templates.backup.hasResourceProperties('AWS::Backup::BackupPlan', {
      BackupPlan: {
        BackupPlanRule: [
          Match.objectLike({
            ScheduleExpression: 'cron(0 3 * * ? *)',
            Lifecycle,
            CopyActions: [{ DestinationBackupVaultArn: ELSEWHERE, Lifecycle }],
          }),
        ],
      },
    });
  });

  test('the copies are of the current table and of the bucket with its versions, as AWS Backup requires', () => {
    const [[, selection] = []] = resourcesOf(prod.templates.backup, 'AWS::Backup::BackupSelection');
    const [table, bucket] = selection?.BackupSelection.Resources ?? [];
    expect(JSON.stringify(table)).toMatch(/:table\/",\{"Ref":"SsmParameterValueaccountserviceprodtable/);
    expect(bucket).toEqual({ 'Fn::ImportValue': 'account-service-prod-data-objects' });
    prod.templates.data.hasResourceProperties('AWS::S3::Bucket', {
      LoggingConfiguration: Match.anyValue(),
      VersioningConfiguration: { Status: 'Enabled' },
    });
  });

  test('the vault and its copies outlive the stack', () => {
    prod.templates.backup.hasResource('AWS::Backup::BackupVault', { DeletionPolicy: 'RetainExceptOnCreate' });
    expect(prod.stacks.backup?.terminationProtection).toBe(true);
  });

  test('the vault of dev is deleted with its stage, and the guide empties it by name first', () => {
    const { backup } = synthesized({ backup: {} }).templates;
    const [[, vault] = []] = resourcesOf(backup, 'AWS::Backup::BackupVault');
    backup.hasResource('AWS::Backup::BackupVault', { DeletionPolicy: 'Delete' });
    const guide = readFileSync(join(PROJECT, 'docs', 'aws.md'), 'utf8');
    const [emptied, destroyed] = [
      guide.indexOf(`VAULT=${vault?.BackupVaultName}\n`),
      guide.indexOf('cdk -- destroy --all'),
    ];
    expect([emptied > 0, emptied < destroyed]).toEqual([true, true]);
  });

  test('a large shop copies once a week and keeps fewer copies', () => {
    const { templates } = synthesized({ backup: { every: 'week', keepDays: 14 } });
    templates.backup.hasResourceProperties('AWS::Backup::BackupPlan', {
      BackupPlan: {
        BackupPlanRule: [
          Match.objectLike({ ScheduleExpression: 'cron(0 3 ? * SUN *)', Lifecycle: { DeleteAfterDays: 14 } }),
        ],
      },
    });
  });

  test('the backup role can read only the one table and bucket, can restore nothing, and only AWS Backup assumes it', () => {
    const [[, role] = []] = resourcesOf(prod.templates.backup, 'AWS::IAM::Role');
    expect(role?.ManagedPolicyArns).toBeUndefined();
    expect(role?.AssumeRolePolicyDocument.Statement).toMatchObject([
      {
        Principal: { Service: 'backup.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ]);
    const [[, policy] = []] = resourcesOf(prod.templates.backup, 'AWS::IAM::Policy');
    const statements: { Action: string | string[]; Resource: unknown }[] = policy?.PolicyDocument.Statement;
    const actions = statements.flatMap(({ Action }) => Action);
    expect(actions.filter((action) => /\*|Restore|PutObject|DeleteObject|PutItem|:DeleteT/.test(action))).toEqual([]);
    const anywhere = statements.filter(({ Resource }) => Resource === '*').flatMap(({ Action }) => Action);
    expect(anywhere.filter((action) => !/:(?:List|Get)/.test(action))).toEqual([]);
    expect(statements).toContainEqual(
      expect.objectContaining({ Action: 'backup:CopyIntoBackupVault', Resource: ELSEWHERE }),
    );
  });
});
