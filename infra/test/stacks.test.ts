import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { FILES_KEPT_DAYS } from '../../domain/support/ticket.ts';
import { FUNCTIONS } from '../bundles/functions.ts';
import { resourcesOf, type Synthesized, synthesized } from './synthesized.ts';

type Statement = { Action: string | string[]; Resource: unknown; Effect: string };

const prod = synthesized({ stage: 'prod' });

const all = (part: keyof Synthesized['templates'], type: string) => resourcesOf(prod.templates[part], type);

describe('the data stack', () => {
  test('the table is paid per request, retained, and has point-in-time recovery', () => {
    prod.templates.data.hasResource('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
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
    }
    expect(new Set(functions.map(([, { Role }]) => JSON.stringify(Role))).size).toBe(FUNCTIONS.length);
    for (const [, { RetentionInDays }] of all('service', 'AWS::Logs::LogGroup')) expect(RetentionInDays).toBe(90);
  });

  test('no function has a wildcard action, and each may read only its own secrets', () => {
    const policies = all('service', 'AWS::IAM::Policy').map(([id, { PolicyDocument }]) => ({
      id,
      actions: PolicyDocument.Statement.flatMap(({ Action }: Statement) => Action) as string[],
    }));
    expect(policies.flatMap(({ actions }) => actions).filter((action) => action.includes('*'))).toEqual([]);
    const holders = policies.filter(({ actions }) => actions.includes('secretsmanager:GetSecretValue'));
    const names = ['account', 'api', 'app', 'mail', 'mcp', 'shop'].map((name) =>
      expect.stringMatching(new RegExp(`^${name}`)),
    );
    expect(holders.map(({ id }) => id).toSorted()).toEqual(names);
  });

  test('each function has an alias and retains its previous versions for a rollback', () => {
    prod.templates.service.resourceCountIs('AWS::Lambda::Alias', FUNCTIONS.length);
    prod.templates.service.allResources('AWS::Lambda::Version', { UpdateReplacePolicy: 'Retain' });
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

describe('the job queue', () => {
  const [queueOf, policies] = [
    () => all('service', 'AWS::SQS::Queue'),
    (name: string) => JSON.stringify(all('service', 'AWS::IAM::Policy').find(([id]) => id.startsWith(name))),
  ];

  test('the queue delivers one message at a time, and keeps undeliverable ones for two weeks', () => {
    const queues = queueOf();
    expect(queues).toHaveLength(2);
    for (const [, queue] of queues) expect([queue.FifoQueue, queue.SqsManagedSseEnabled]).toEqual([true, true]);
    const [jobs, dead] = [
      queues.find(([, { RedrivePolicy }]) => RedrivePolicy),
      queues.find(([id]) => /Dead/.test(id)),
    ];
    expect(jobs?.[1].RedrivePolicy).toEqual({
      deadLetterTargetArn: { 'Fn::GetAtt': [dead?.[0], 'Arn'] },
      maxReceiveCount: 6,
    });
    expect(dead?.[1].MessageRetentionPeriod).toBe(14 * 24 * 3600);
  });

  test('a message returns after the worker’s time is over', () => {
    const [, worker] = all('service', 'AWS::Lambda::Function').find(([id]) => id.startsWith('replay')) ?? [];
    expect([worker?.Timeout, worker?.MemorySize]).toEqual([900, 2048]);
    const [, queue] = queueOf().find(([, { RedrivePolicy }]) => RedrivePolicy) ?? [];
    expect(queue?.VisibilityTimeout).toBeGreaterThan(worker?.Timeout);
    const [[, mapping] = []] = all('service', 'AWS::Lambda::EventSourceMapping');
    expect(mapping?.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
  });

  test('a schedule wakes the worker for jobs with a lost message', () => {
    prod.templates.service.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(5 minutes)' });
  });

  test('Lambda repeats no failed scheduled call, because the next one follows soon', () => {
    const once = { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 };
    const configs = (part: 'service' | 'operations') =>
      all(part, 'AWS::Lambda::EventInvokeConfig').map(([, one]) => one);
    expect(configs('service')).toEqual([expect.objectContaining(once)]);
    expect(JSON.stringify(configs('service')[0]?.Qualifier)).toContain('replayLive');
    expect(configs('operations')).toEqual([expect.objectContaining({ ...once, Qualifier: '$LATEST' })]);
    const targets = [...all('service', 'AWS::Events::Rule'), ...all('operations', 'AWS::Events::Rule')].flatMap(
      ([, { Targets }]) => Targets,
    );
    expect(JSON.stringify(targets)).toContain('mailLive');
    expect(targets).toHaveLength(4);
  });

  test('only the design function may notify, and only the worker may read the queue and write dead letters', () => {
    const sending = all('service', 'AWS::IAM::Policy').filter(([, policy]) =>
      JSON.stringify(policy).includes('"sqs:SendMessage"'),
    );
    expect(sending.map(([id]) => id.slice(0, 6)).toSorted()).toEqual(['design', 'replay']);
    expect(policies('replay')).toMatch(/"sqs:SendMessage"[^\]]*"Resource":\{"Fn::GetAtt":\["jobsDeadLetters/);
    expect(policies('design')).toMatch(/"sqs:SendMessage"[^\]]*"Resource":\{"Fn::GetAtt":\["jobsQueue/);
    expect(policies('design')).not.toContain('sqs:ReceiveMessage');
  });
});
