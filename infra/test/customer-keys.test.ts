import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { domainOf } from './front.ts';
import { type Properties, resourcesOf, synthesized } from './synthesized.ts';

describe('a key of the operator’s own', () => {
  const prod = synthesized({ stage: 'prod', customerKeys: 'true', backup: 'true' });
  const [[keyId = ''] = []] = resourcesOf(prod.templates.data, 'AWS::KMS::Key');

  const all = (stack: 'data' | 'service' | 'operations', type: string): Properties[] =>
    resourcesOf(prod.templates[stack], type).map(([, properties]) => properties);
  const imported = () => ({ 'Fn::ImportValue': expect.stringContaining(keyId) });

  test('a stage without the option has no key, and the table keeps DynamoDB’s own key and warm throughput', () => {
    const { templates } = synthesized({ stage: 'prod' });
    templates.data.resourceCountIs('AWS::KMS::Key', 0);
    templates.data.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      SSESpecification: { SSEEnabled: false },
      WarmThroughput: Match.absent(),
    });
  });

  test('the key turns over each year, outlives the stack, and takes thirty days to be deleted', () => {
    prod.templates.data.hasResource('AWS::KMS::Key', {
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: { EnableKeyRotation: true, PendingWindowInDays: 30 },
    });
  });

  test('it encrypts the table, the files by one key for the bucket, and each secret', () => {
    const key = { 'Fn::GetAtt': [keyId, 'Arn'] };
    prod.templates.data.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      Replicas: [Match.objectLike({ SSESpecification: { KMSMasterKeyId: key } })],
    });
    const logged = all('data', 'AWS::S3::Bucket').filter(({ LoggingConfiguration }) => LoggingConfiguration);
    expect(logged.map(({ BucketEncryption }) => BucketEncryption.ServerSideEncryptionConfiguration)).toEqual([
      [
        {
          BucketKeyEnabled: true,
          ServerSideEncryptionByDefault: { KMSMasterKeyID: key, SSEAlgorithm: 'aws:kms' },
        },
      ],
    ]);
    expect(all('data', 'AWS::SecretsManager::Secret').map(({ KmsKeyId }) => KmsKeyId)).toEqual([key, key, key]);
  });

  test('the bucket of the access logs keeps the key of S3, to which alone S3 writes them', () => {
    const unlogged = all('data', 'AWS::S3::Bucket').filter(({ LoggingConfiguration }) => !LoggingConfiguration);
    expect(JSON.stringify(unlogged.map(({ BucketEncryption }) => BucketEncryption))).toContain('"AES256"');
  });

  test('it encrypts every log group, queue and topic of the other stacks, and the vault of the backups', () => {
    const groups = all('service', 'AWS::Logs::LogGroup');
    expect(groups.length).toBeGreaterThan(9);
    for (const { KmsKeyId } of groups) expect(KmsKeyId).toEqual(imported());
    for (const { KmsMasterKeyId, SqsManagedSseEnabled } of all('service', 'AWS::SQS::Queue')) {
      expect([KmsMasterKeyId, SqsManagedSseEnabled]).toEqual([imported(), undefined]);
    }
    const watching = [...all('operations', 'AWS::SNS::Topic'), ...all('operations', 'AWS::Logs::LogGroup')];
    expect(watching.length).toBeGreaterThan(0);
    for (const { KmsMasterKeyId, KmsKeyId } of watching) {
      expect(JSON.stringify(KmsMasterKeyId ?? KmsKeyId)).toContain(keyId);
    }
    prod.templates.backup.hasResourceProperties('AWS::Backup::BackupVault', { EncryptionKeyArn: Match.anyValue() });
  });

  test('a function uses the key through the services that it may call, and never by itself', () => {
    const policies = all('service', 'AWS::IAM::Policy');
    const using = policies.filter((policy) => JSON.stringify(policy).includes('kms:'));
    expect(using.length).toBeGreaterThanOrEqual(9);
    for (const { PolicyDocument } of using) {
      const statements: Properties[] = PolicyDocument.Statement;
      const [use, ...others] = statements.filter(({ Action }) => JSON.stringify(Action).includes('kms:'));
      expect(others).toEqual([]);
      expect(use?.['Resource']).toEqual(imported());
      const services = [use?.['Condition'].StringEquals['kms:ViaService']].flat().map((via) => via['Fn::Join'][1][0]);
      const called = statements.flatMap(({ Action }) => [Action].flat().map((action: string) => action.split(':')[0]));
      const encrypted = ['dynamodb', 's3', 'secretsmanager', 'sqs'].filter((service) => called.includes(service));
      expect(services.map((via: string) => via.split('.')[0]).toSorted()).toEqual(encrypted);
    }
  });

  test('the policy of the key lets in its account, the logs of the stage, and the alarms of the account', () => {
    const [{ KeyPolicy }] = all('data', 'AWS::KMS::Key') as [Properties];
    const [account, logs, alarms, secrets, ...others] = KeyPolicy.Statement as Properties[];
    expect(others).toEqual([]);
    for (const own of [account, secrets]) expect(JSON.stringify(own?.['Principal'])).toContain(':root');
    expect(JSON.stringify(secrets?.['Condition'])).toContain('"kms:ViaService":{"Fn::Join":["",["secretsmanager."');
    const groups = JSON.stringify(logs?.['Condition']).match(/:log-group:[^"]+/g);
    expect(groups).toEqual([':log-group:account-service-prod-*', ':log-group:/aws/vendedlogs/account-service-prod-*']);
    expect(alarms?.['Condition']).toEqual({ StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } });
  });
});

test('every log group that has a name of its own has one that the policy of the key lets in', () => {
  const { templates } = synthesized({ customerKeys: 'true', gateway: 'http', ...domainOf('api') });
  const named = resourcesOf(templates.service, 'AWS::Logs::LogGroup').flatMap(
    ([, { LogGroupName }]) => LogGroupName ?? [],
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !/^(?:\/aws\/vendedlogs\/)?account-service-dev-/.test(name))).toEqual([]);
});

describe('the warm throughput of the table', () => {
  const warmOf = (context: Record<string, string>) => {
    const { templates } = synthesized(context);
    return resourcesOf(templates.data, 'AWS::DynamoDB::GlobalTable')[0]?.[1].WarmThroughput;
  };

  test('one that the context leaves out is that of a new table', () => {
    expect(warmOf({ warmWriteUnits: '20000' })).toEqual({ ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 20_000 });
  });
});
