import { Match } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, test } from 'vitest';
import { addStacks, checkedApp } from '../account-service.ts';
import { FUNCTIONS } from '../bundles/functions.ts';
import { DEPLOYED } from '../routes.ts';
import { bundles, synthesized } from './synthesized.ts';

describe('the CDK context', () => {
  test('the dev stage deletes its table with the stack', () => {
    const { templates } = synthesized({ stage: 'dev' });
    templates.data.hasResource('AWS::DynamoDB::GlobalTable', { DeletionPolicy: 'Delete' });
  });

  test('the context sets custom domains and the alarm address', () => {
    const { templates } = synthesized({
      apiDomain: 'api.example.com',
      apiCertificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/one',
      alarmEmail: 'operator@example.com',
    });
    templates.service.hasResourceProperties('AWS::ApiGateway::DomainName', { DomainName: 'api.example.com' });
    templates.service.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true });
    templates.operations.hasResourceProperties('AWS::SNS::Subscription', { Endpoint: 'operator@example.com' });
  });

  test('the context sets limits, the origins of pages, and whether the log has addresses, on every function', () => {
    const { templates } = synthesized({
      corsOrigins: 'https://shop.example.com',
      logAddresses: 'off',
      filesPerAddress: '900',
    });
    const Variables = Match.objectLike({
      CORS_ORIGINS: 'https://shop.example.com',
      LOG_ADDRESSES: 'off',
      RATE_LIMIT_FILES_PER_MINUTE: '900',
    });
    templates.service.allResourcesProperties('AWS::Lambda::Function', { Environment: { Variables } });
  });

  test('the design host has a name of its own in the context, or the address of its stage', () => {
    const urlOf = (context: Readonly<Record<string, string>>) => {
      const { templates } = synthesized(context);
      const [fn] = Object.values(templates.service.findResources('AWS::Lambda::Function'));
      return JSON.stringify(fn?.['Properties'].Environment.Variables.DESIGN_URL);
    };
    expect(
      urlOf({
        designDomain: 'design.example.com',
        designCertificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/design',
      }),
    ).toBe('"https://design.example.com"');
    expect(urlOf({ stage: 'prod' })).toMatch(/"designapi\w+".*\/prod"/);
  });

  test('a legacy domain in the context adds a legacy host on the functions of the API host', () => {
    const { templates } = synthesized({
      legacyDomain: 'old.example.com',
      legacyCertificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/two',
    });
    templates.service.hasResourceProperties('AWS::ApiGateway::DomainName', { DomainName: 'old.example.com' });
    templates.service.hasResourceProperties('AWS::ApiGateway::Stage', { Variables: { legacy: 'true' } });
    templates.service.resourceCountIs('AWS::ApiGateway::RestApi', DEPLOYED.length + 1);
    const variables = { Variables: Match.objectLike({ LEGACY_URL: 'https://old.example.com' }) };
    templates.service.allResourcesProperties('AWS::Lambda::Function', { Environment: variables });
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

  test('a context without a legacy domain adds no legacy host', () => {
    synthesized().templates.service.resourceCountIs('AWS::ApiGateway::RestApi', DEPLOYED.length);
  });

  const ACCOUNT = {
    accountDomain: 'account.example.com',
    accountCertificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/three',
  };
  const variables = (wanted: object) => ({ Environment: { Variables: Match.objectLike(wanted) } });

  test('an account domain in the context adds the account host, whose address every function knows', () => {
    const { templates } = synthesized(ACCOUNT);
    templates.service.hasResourceProperties('AWS::ApiGateway::DomainName', { DomainName: 'account.example.com' });
    templates.service.resourceCountIs('AWS::ApiGateway::RestApi', DEPLOYED.length + 1);
    templates.service.allResourcesProperties(
      'AWS::Lambda::Function',
      variables({ ACCOUNT_URL: 'https://account.example.com' }),
    );
    templates.service.hasOutput('AccountUrl', { Value: 'https://account.example.com' });
  });

  test('an upstream provider in the context is known to the account function alone, which may read its secret', () => {
    const { templates } = synthesized({
      ...ACCOUNT,
      upstreamIssuer: 'https://login.example.com',
      upstreamClientId: 'account-host',
      upstreamName: 'Example',
      upstreamSecretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:upstream',
    });
    const knowing = templates.service.findResources('AWS::Lambda::Function', {
      Properties: variables({
        UPSTREAM_ISSUER: 'https://login.example.com',
        UPSTREAM_CLIENT_SECRET_ARN: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:upstream',
      }),
    });
    expect(Object.keys(knowing)).toHaveLength(1);
    templates.service.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Resource: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:upstream' }),
        ]),
      },
    });
  });
});

describe('the checks of a synthesis', () => {
  test('a synthesis with an unexplained finding fails', () => {
    const app = checkedApp();
    const { data } = addStacks(app, bundles);
    new Bucket(data, 'Unlogged');
    expect(() => app.synth()).toThrow('AwsSolutions-S1');
  });
});
