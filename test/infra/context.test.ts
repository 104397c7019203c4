import { rm } from 'node:fs/promises';
import { Match } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addStacks, checkedApp } from '../../infra/account-service.ts';
import { FUNCTIONS } from '../../infra/bundles/functions.ts';
import { emptyBundles, synthesized } from './synthesized.ts';

let bundles: string;
beforeAll(async () => {
  bundles = await emptyBundles();
});
afterAll(() => rm(bundles, { recursive: true }));

describe('the context', () => {
  test('of dev lets everything be taken down', () => {
    const { templates } = synthesized(bundles, { stage: 'dev' });
    templates.data.hasResource('AWS::DynamoDB::GlobalTable', { DeletionPolicy: 'Delete' });
  });

  test('gives custom domains, reserved concurrency and an address for alarms', () => {
    const { templates } = synthesized(bundles, {
      apiDomain: 'api.example.com',
      apiCertificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/one',
      reservedConcurrency: '7',
      alarmEmail: 'operator@example.com',
    });
    templates.service.hasResourceProperties('AWS::ApiGateway::DomainName', { DomainName: 'api.example.com' });
    templates.service.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true });
    templates.service.allResourcesProperties('AWS::Lambda::Function', { ReservedConcurrentExecutions: 7 });
    templates.operations.hasResourceProperties('AWS::SNS::Subscription', { Endpoint: 'operator@example.com' });
  });

  test('has a legacy host where it has a name, on the functions of the API host', () => {
    const { templates } = synthesized(bundles, {
      legacyDomain: 'old.example.com',
      legacyCertificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/two',
    });
    templates.service.hasResourceProperties('AWS::ApiGateway::DomainName', { DomainName: 'old.example.com' });
    templates.service.hasResourceProperties('AWS::ApiGateway::Stage', { Variables: { legacy: 'true' } });
    templates.service.resourceCountIs('AWS::ApiGateway::RestApi', 3);
    templates.service.resourceCountIs('AWS::Lambda::Function', FUNCTIONS.length);
    templates.operations.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmDescription: 'More than 1 % of the requests failed',
      Metrics: Match.arrayWith([
        Match.objectLike({
          MetricStat: Match.objectLike({
            Metric: Match.objectLike({
              Dimensions: [{ Name: 'ApiName', Value: 'account-service-legacy-dev' }],
            }),
          }),
        }),
      ]),
    });
  });

  test('has none otherwise', () => {
    synthesized(bundles).templates.service.resourceCountIs('AWS::ApiGateway::RestApi', 2);
  });

  test('puts a restored table in the place of the stack’s own, which stays as it is', () => {
    const { templates } = synthesized(bundles, { restoredTable: 'restored-table' });
    const variables = { Variables: Match.objectLike({ TABLE_NAME: 'restored-table' }) };
    templates.service.allResourcesProperties('AWS::Lambda::Function', { Environment: variables });
    templates.data.resourceCountIs('AWS::DynamoDB::GlobalTable', 1);
  });

  test.each([
    [{ stage: 'test' }, '-c stage takes dev or prod; it is "test".'],
    [
      { apiDomain: 'api.example.com' },
      '-c apiDomain and -c apiCertificateArn belong together; one of them is missing.',
    ],
    [{ reservedConcurrency: 'many' }, '-c reservedConcurrency takes a whole number; it is "many".'],
  ])('that is wrong is refused in one sentence: %j', (context, sentence) => {
    expect(() => addStacks(checkedApp(context), bundles)).toThrow(sentence);
  });
});

describe('the checks', () => {
  test('break a synthesis off at a finding that nobody explained', () => {
    const app = checkedApp();
    const { data } = addStacks(app, bundles);
    new Bucket(data, 'Unlogged');
    expect(() => app.synth()).toThrow('AwsSolutions-S1');
  });
});
