import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Match } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { afterAll, describe, expect, test } from 'vitest';
import { addStacks, checkedApp } from '../account-service.ts';
import { FUNCTIONS } from '../bundles/functions.ts';
import { DEPLOYED } from '../routes.ts';
import { readStage, stageOf } from '../stage.ts';
import { ALL_NAMES, IMAGE, keyFile, named } from './given.ts';
import { bundles, type Given, resourcesOf, synthesized } from './synthesized.ts';

describe('the settings of a stage', () => {
  test('the dev stage deletes its table with the stack', () => {
    const { templates } = synthesized({ stage: 'dev' });
    templates.data.hasResource('AWS::DynamoDB::GlobalTable', { DeletionPolicy: 'Delete' });
  });

  test('the settings name the domains, whose DNS targets are outputs, and the alarm address', () => {
    const { templates } = synthesized({ ...named('api'), alarmEmail: 'operator@example.com' });
    templates.service.hasOutput('ApiTarget', {
      Value: { 'Fn::GetAtt': [Match.stringLikeRegexp('^apiapiName'), 'RegionalDomainName'] },
    });
    templates.service.hasResourceProperties('AWS::ApiGateway::DomainName', { DomainName: 'api.example.com' });
    templates.service.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true });
    templates.operations.hasResourceProperties('AWS::SNS::Subscription', { Endpoint: 'operator@example.com' });
  });

  test('the settings give every function variables of the service', () => {
    const variables = { CORS_ORIGINS: 'https://shop.example.com', RATE_LIMIT_FILES_PER_MINUTE: '900' };
    const { templates } = synthesized({ variables });
    const Variables = Match.objectLike(variables);
    templates.service.allResourcesProperties('AWS::Lambda::Function', { Environment: { Variables } });
  });

  test('the design host has the name in the settings, or the address of its stage', () => {
    const urlOf = (given: Given) => {
      const { templates } = synthesized(given);
      const [fn] = Object.values(templates.service.findResources('AWS::Lambda::Function'));
      return JSON.stringify(fn?.['Properties'].Environment.Variables.DESIGN_URL);
    };
    expect(urlOf(named('design'))).toBe('"https://design.example.com"');
    expect(urlOf({ stage: 'prod' })).toMatch(/"designapi\w+".*\/prod"/);
  });

  test('a legacy domain adds a legacy host on the functions of the API host', () => {
    const { templates } = synthesized(named('legacy'));
    templates.service.hasResourceProperties('AWS::ApiGateway::DomainName', { DomainName: 'legacy.example.com' });
    templates.service.hasResourceProperties('AWS::ApiGateway::Stage', { Variables: { legacy: 'true' } });
    templates.service.resourceCountIs('AWS::ApiGateway::RestApi', DEPLOYED.length + 1);
    const variables = { Variables: Match.objectLike({ LEGACY_URL: 'https://legacy.example.com' }) };
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

  test('a stage without a legacy domain has no legacy host', () => {
    synthesized().templates.service.resourceCountIs('AWS::ApiGateway::RestApi', DEPLOYED.length);
  });

  const ACCOUNT = named('account');
  const variables = (wanted: object) => ({ Environment: { Variables: Match.objectLike(wanted) } });

  test('an account domain adds the account host, whose address every function knows', () => {
    const { templates } = synthesized(ACCOUNT);
    templates.service.hasResourceProperties('AWS::ApiGateway::DomainName', { DomainName: 'account.example.com' });
    templates.service.resourceCountIs('AWS::ApiGateway::RestApi', DEPLOYED.length + 1);
    templates.service.allResourcesProperties(
      'AWS::Lambda::Function',
      variables({ ACCOUNT_URL: 'https://account.example.com' }),
    );
    templates.service.hasOutput('AccountUrl', { Value: 'https://account.example.com' });
  });

  test('an identity provider is known only to the account function, which may read its secret', () => {
    const { templates } = synthesized({
      ...ACCOUNT,
      upstream: {
        issuer: 'https://login.example.com',
        clientId: 'account-host',
        name: 'Example',
        secretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:upstream-AbCdEf',
      },
    });
    const knowing = templates.service.findResources('AWS::Lambda::Function', {
      Properties: variables({
        UPSTREAM_ISSUER: 'https://login.example.com',
        UPSTREAM_CLIENT_SECRET_ARN: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:upstream-AbCdEf',
      }),
    });
    expect(Object.keys(knowing)).toHaveLength(1);
    templates.service.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Resource: Match.arrayWith(['arn:aws:secretsmanager:eu-west-1:123456789012:secret:upstream-AbCdEf']),
          }),
        ]),
      },
    });
  });
});

describe('settings for selling', () => {
  const secretArn = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:webhooks-AbCdEf';
  const { service } = synthesized({
    ...named('shop'),
    mail: { from: 'shop@example.com' },
    webhooks: { secretArn },
  }).templates;
  const knowing = (Variables: object): string[] =>
    Object.keys(service.findResources('AWS::Lambda::Function', { Properties: { Environment: { Variables } } }));

  test('a shop domain adds the shop host, whose paths one function answers', () => {
    service.hasResourceProperties('AWS::ApiGateway::DomainName', { DomainName: 'shop.example.com' });
    service.hasOutput('ShopUrl', { Value: 'https://shop.example.com' });
    expect(knowing(Match.objectLike({ SHOP_URL: 'https://shop.example.com' }))).toHaveLength(FUNCTIONS.length);
  });

  test('the webhook secrets are known only to the shop function, which may read them', () => {
    expect(knowing(Match.objectLike({ WEBHOOK_SECRETS_ARN: secretArn }))).toEqual([expect.stringMatching(/^shop/)]);
    const reading = resourcesOf(service, 'AWS::IAM::Policy').filter(([, policy]) =>
      JSON.stringify(policy).includes(secretArn),
    );
    expect(reading.map(([id]) => id)).toEqual([expect.stringMatching(/^shop/)]);
  });

  test('every function writes messages, and only the mail function sends them, each minute and from one address', () => {
    expect(knowing(Match.objectLike({ MAIL: 'ses', MAIL_FROM: 'shop@example.com' }))).toHaveLength(FUNCTIONS.length);
    const sending = resourcesOf(service, 'AWS::IAM::Policy').filter(([, policy]) =>
      JSON.stringify(policy).includes('ses:SendEmail'),
    );
    expect(sending.map(([id]) => id)).toEqual([expect.stringMatching(/^mail/)]);
    expect(JSON.stringify(sending)).toContain('"StringEquals":{"ses:FromAddress":"shop@example.com"}');
    service.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(1 minute)' });
    expect(JSON.stringify(synthesized().templates.service.toJSON())).not.toContain('rate(1 minute)');
  });
});

describe('the variables of the service', () => {
  /** Variables of a server on a machine, which the functions and the container don't need. */
  const OF_A_SERVER =
    /^(?:AWS_ENDPOINT_URL_\w+|\w+_PORT|(?:LISTEN|METRICS|SHOP)_ADDRESS|SMTP_URL|DATABASE_URL|\w+_WEBHOOK_SECRET|(?:STRIPE|PADDLE)_API_KEY|POLAR_ACCESS_TOKEN|OPERATOR_EMAIL|MAX_CONNECTIONS\w*|SAMPLE_STORE|ARTIFACT_KEY_SECRET_ARN|UPSTREAM_CLIENT_SECRET)$/;

  test('each variable is one that a stage can set, one that the stacks set, or one of a server on a machine', () => {
    const rows = readFileSync('docs/running.md', 'utf8').match(/^\| `[A-Z][^|]*/gm) ?? [];
    const documented = rows.flatMap((row) => row.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []);
    expect(documented.length).toBeGreaterThan(40);
    const secretArn = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:one-AbCdEf';
    const upstream = { issuer: 'https://login.example.com', clientId: 'shop', name: 'Shop', secretArn };
    const { service, container } = synthesized({
      ...ALL_NAMES,
      upstream,
      mail: { from: 'shop@example.com' },
      webhooks: { secretArn },
      container: { image: IMAGE },
      files: { publicKeys: [keyFile('one')], keySecretArn: secretArn },
    }).templates;
    const set = JSON.stringify([service.toJSON(), container.toJSON()]);
    const settable = documented.filter((name) => !set.includes(`"${name}"`) && !OF_A_SERVER.test(name));
    const variables = Object.fromEntries(settable.map((name) => [name, 'a value']));
    expect(Object.keys(stageOf('dev', { variables }).variables).toSorted()).toEqual(settable.toSorted());
    expect(settable).toEqual(expect.arrayContaining(['CORS_ORIGINS', 'RATE_LIMIT_PER_MINUTE']));
  });
});

describe('the file of a stage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'account-service-stages-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = (context: Readonly<Record<string, string>>, files: Readonly<Record<string, string>> = {}) => {
    for (const name of ['dev.json', 'prod.json']) rmSync(join(folder, name), { force: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return readStage(checkedApp(context), folder);
  };

  test('a command that names only the stage has every setting of its file', () => {
    const { name, domains } = read({ stage: 'prod' }, { 'prod.json': JSON.stringify(named('api', 'account')) });
    expect([name, domains]).toEqual(['prod', { api: 'api.example.com', account: 'account.example.com' }]);
    expect(readStage(checkedApp()).name).toBe('dev');
  });

  test.each([
    [{}, {}, 'infra/stages/dev.json is missing: write the settings of the stage to it; docs/aws.md lists them.'],
    [{}, { 'dev.json': '{"alarmEmial": "a@b.c"}' }, 'infra/stages/dev.json: "alarmEmial" is no setting; there are '],
    [{}, { 'dev.json': '{' }, 'infra/stages/dev.json: '],
    [{ stage: 'test' }, {}, '-c stage takes dev or prod; it is "test".'],
    [
      { alarmEmail: 'a@b.c' },
      { 'dev.json': '{}' },
      '-c alarmEmail is no setting of a command: write the settings of the stage to infra/stages/dev.json.',
    ],
  ])('the command %j with the files %j is refused in one sentence', (context, files, sentence) => {
    expect(() => read(context, files)).toThrow(sentence);
  });
});

describe('the public names of a stage', () => {
  const remembered = (given: Given): Readonly<Record<string, string>> =>
    synthesized(given).templates.data.toJSON().Parameters.Names;
  /** CloudFormation keeps the value of a parameter, and checks it against the pattern of the next template. */
  const accepts = (next: Given, before: Given): boolean =>
    new RegExp(remembered(next)['AllowedPattern'] as string).test(remembered(before)['Default'] as string);
  const both = named('api', 'account');

  test('a deployment with the same names passes, and one that loses or changes a name or the issuer is refused', () => {
    expect(accepts({ ...both, wafRate: 100 }, both)).toBe(true);
    expect([accepts({}, both), accepts(named('api'), both)]).toEqual([false, false]);
    expect(accepts({ ...both, domains: { ...both.domains, api: 'api2example.com' } }, both)).toBe(false);
    expect(accepts({ ...both, domains: { account: 'api.example.com', api: 'account.example.com' } }, both)).toBe(false);
    expect(accepts(both, {})).toBe(false);
  });

  test('the refusal says which words confirm the change, and the parameter store checks them again', () => {
    const { Default, AllowedPattern, ConstraintDescription } = remembered({ stage: 'prod', ...both });
    expect(Default).toBe('api.example.com,-,-,account.example.com,-');
    expect(ConstraintDescription).toContain(`--parameters account-service-prod-data:Names=${Default}`);
    const stored = resourcesOf(synthesized({ stage: 'prod', ...both }).templates.data, 'AWS::SSM::Parameter');
    expect(stored.map(([, { Value, AllowedPattern: own }]) => [Value.Ref, own])).toContainEqual([
      'Names',
      AllowedPattern,
    ]);
  });
});

describe('a stage of dev', () => {
  test('the buckets of dev are emptied before deletion and get no logs afterwards, unlike those of prod', () => {
    const emptied = (given: Given): unknown[] =>
      resourcesOf(synthesized(given).templates.data, 'Custom::S3AutoDeleteObjects').map(
        ([, { BucketName }]) => BucketName,
      );
    const [[bucket] = [], ...others] = resourcesOf(synthesized().templates.data, 'AWS::S3::Bucket');
    expect([others, emptied({})]).toEqual([[], [{ Ref: bucket }]]);
    expect(emptied({ stage: 'prod' })).toEqual([]);
  });
});

describe('the checks of a synthesis', () => {
  test('a synthesis with an unexplained finding fails', () => {
    const app = checkedApp();
    const { data } = addStacks(app, stageOf('dev', {}), bundles);
    new Bucket(data, 'Unlogged');
    expect(() => app.synth()).toThrow('AwsSolutions-S1');
  });
});
