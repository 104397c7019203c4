import { rm } from 'node:fs/promises';
import { Match } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILES_KEPT_DAYS } from '../../domain/support/ticket.ts';
import { FUNCTIONS } from '../../infra/bundles/functions.ts';
import { emptyBundles, resourcesOf, type Synthesized, synthesized } from './synthesized.ts';

type Statement = { Action: string | string[]; Resource: unknown; Effect: string };

let bundles: string;
let prod: Synthesized;
beforeAll(async () => {
  bundles = await emptyBundles();
  prod = synthesized(bundles, { stage: 'prod' });
}, 30_000);
afterAll(() => rm(bundles, { recursive: true }));

const all = (part: keyof Synthesized['templates'], type: string) => resourcesOf(prod.templates[part], type);

describe('the data stack', () => {
  test('the table is paid per request, retained, and has point-in-time recovery', () => {
    prod.templates.data.hasResource('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'Retain',
      Properties: Match.objectLike({
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
        Replicas: [
          Match.objectLike({
            DeletionProtectionEnabled: true,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          }),
        ],
      }),
    });
  });

  test('the buckets block public access, are encrypted and require TLS 1.2', () => {
    const buckets = all('data', 'AWS::S3::Bucket');
    expect(buckets).toHaveLength(2);
    for (const [, bucket] of buckets) {
      expect(Object.values(bucket.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
      expect(bucket.BucketEncryption).toBeDefined();
    }
    const refused = all('data', 'AWS::S3::BucketPolicy').map(([, { PolicyDocument }]) =>
      JSON.stringify(PolicyDocument.Statement.filter(({ Effect }: Statement) => Effect === 'Deny')),
    );
    expect(refused).toHaveLength(2);
    for (const statements of refused) {
      expect(statements).toContain('"aws:SecureTransport":"false"');
      expect(statements).toContain('"s3:TlsVersion":1.2');
    }
  });

  test('the bucket keeps versions of files, and expires incomplete uploads and report files', () => {
    prod.templates.data.hasResourceProperties('AWS::S3::Bucket', {
      VersioningConfiguration: { Status: 'Enabled' },
      LifecycleConfiguration: {
        Rules: Match.arrayWith([
          Match.objectLike({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } }),
          Match.objectLike({ Prefix: 'incoming/', ExpirationInDays: 1 }),
          Match.objectLike({ Prefix: 'objects/reports/', ExpirationInDays: FILES_KEPT_DAYS }),
        ]),
      },
    });
  });
});

describe('the functions', () => {
  test('each function runs on arm64 and Node 24, with a log of 90 days and its own role', () => {
    const functions = all('service', 'AWS::Lambda::Function');
    expect(functions).toHaveLength(FUNCTIONS.length);
    for (const [, fn] of functions) {
      expect([fn.Runtime, fn.Architectures]).toEqual(['nodejs24.x', ['arm64']]);
      expect(fn.LoggingConfig).toMatchObject({ LogFormat: 'JSON', LogGroup: expect.anything() });
      expect(fn.ReservedConcurrentExecutions).toBeUndefined();
    }
    expect(new Set(functions.map(([, { Role }]) => JSON.stringify(Role))).size).toBe(FUNCTIONS.length);
    for (const [, { RetentionInDays }] of all('service', 'AWS::Logs::LogGroup')) expect(RetentionInDays).toBe(90);
  });

  test('no function may scan, delete a file, or use a wildcard action, and each may reach its own files and secrets alone', () => {
    const policies = all('service', 'AWS::IAM::Policy').map(([id, { PolicyDocument }]) => ({
      id,
      actions: PolicyDocument.Statement.flatMap(({ Action }: Statement) => Action) as string[],
    }));
    const allowed = policies.flatMap(({ actions }) => actions);
    expect(allowed.filter((action) => action.includes('*'))).toEqual([]);
    expect(allowed).not.toContain('dynamodb:Scan');
    expect(allowed.filter((action) => /^s3:(?!GetObject$|ListBucket$|PutObject$)/.test(action))).toEqual([]);
    const holders = (action: string) => policies.filter(({ actions }) => actions.includes(action)).map(({ id }) => id);
    const of = (...names: string[]) => names.map((name) => expect.stringMatching(new RegExp(`^${name}`)));
    expect(holders('secretsmanager:GetSecretValue').toSorted()).toEqual(of('api', 'app', 'mcp'));
    expect(holders('dynamodb:DeleteItem').toSorted()).toEqual(of('account', 'api', 'mcp'));
    const resources = (action: string) =>
      all('service', 'AWS::IAM::Policy').flatMap(([id, { PolicyDocument }]) =>
        PolicyDocument.Statement.filter(({ Action }: Statement) => [Action].flat().includes(action)).map(
          ({ Resource }: Statement) => ({ id, resource: JSON.stringify(Resource) }),
        ),
      );
    const reports = { id: of('api')[0], resource: expect.stringContaining('/objects/reports/*"') };
    expect(resources('s3:PutObject')).toEqual([reports]);
    expect(resources('s3:GetObject').filter(({ resource }) => !resource.includes('/objects/sha256/*"'))).toEqual([
      reports,
    ]);
    expect(holders('s3:GetObject').toSorted()).toEqual(of('account', 'api', 'app', 'downloads', 'mcp'));
  });

  test('each function has an alias and retains its previous versions for a rollback', () => {
    prod.templates.service.resourceCountIs('AWS::Lambda::Alias', FUNCTIONS.length);
    prod.templates.service.allResources('AWS::Lambda::Version', { DeletionPolicy: 'Retain' });
  });

  test('each function has every variable that it needs to start', () => {
    for (const [, { Environment }] of all('service', 'AWS::Lambda::Function')) {
      expect(Object.keys(Environment.Variables)).toEqual(
        expect.arrayContaining([
          'STORE',
          'OBJECTS',
          'TABLE_NAME',
          'BUCKET_NAME',
          'API_URL',
          'APP_URL',
          'DESIGN_URL',
          'ACCOUNT_URL',
        ]),
      );
    }
  });
});

describe('the operations stack', () => {
  test('errors, throttles and latency raise alarms with an action', () => {
    const alarms = all('operations', 'AWS::CloudWatch::Alarm');
    const metrics = JSON.stringify(alarms);
    for (const metric of ['5XXError', 'Latency', 'Errors', 'Throttles', 'ThrottledRequests']) {
      expect(metrics).toContain(`"MetricName":"${metric}"`);
    }
    for (const [, { AlarmActions, AlarmDescription }] of alarms) {
      expect(AlarmActions).toHaveLength(1);
      expect(AlarmDescription).not.toBe('');
    }
    prod.templates.operations.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
  });
});
