import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Match } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startedMonth } from '../../test/tools/costs/provisioned.ts';
import { FUNCTIONS } from '../bundles/functions.ts';
import { emptyBundles, type Properties, resourcesOf, type Synthesized, synthesized } from './synthesized.ts';
import { metricsOf } from './used-metrics.ts';

let bundles: string;
/** A stage without any of the options. */
let plain: Synthesized['templates'];
let canary: Synthesized;
beforeAll(async () => {
  bundles = await emptyBundles();
  plain = synthesized(bundles).templates;
});
beforeAll(() => {
  canary = synthesized(bundles, { deployment: 'canary' });
});
afterAll(() => rm(bundles, { recursive: true }));

const REQUESTED = FUNCTIONS.filter((name) => name !== 'replay');

const serviceOf = (context: Readonly<Record<string, string>>) => synthesized(bundles, context).templates.service;

describe('a canary release', () => {
  test('a stage releases all at once, unless its context says otherwise', () => {
    const { service } = plain;
    service.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
    service.allResources('AWS::Lambda::Alias', { UpdatePolicy: Match.absent() });
    service.resourceCountIs('AWS::CloudWatch::Alarm', 0);
  });

  test('a tenth of the calls of each function takes the new version for five minutes, but the worker’s at once', () => {
    const { service } = canary.templates;
    const groups = new Map(resourcesOf(service, 'AWS::CodeDeploy::DeploymentGroup'));
    expect(groups.size).toBe(REQUESTED.length);
    for (const group of groups.values()) {
      expect(group).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
      });
    }
    const aliases = Object.entries(service.findResources('AWS::Lambda::Alias'));
    const moved = aliases.filter(([, { UpdatePolicy }]) => UpdatePolicy !== undefined);
    expect(aliases.filter((one) => !moved.includes(one)).map(([id]) => id)).toEqual([expect.stringMatching(/^replay/)]);
    const used = moved.map(([, { UpdatePolicy }]) => UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName.Ref);
    expect(used.toSorted()).toEqual([...groups.keys()].toSorted());
  });

  test('each release is watched by the errors of its alias, and by the answers of every host that it serves', () => {
    const service = serviceOf({
      deployment: 'canary',
      legacyDomain: 'old.example.com',
      legacyCertificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/two',
    });
    const alarms = new Map(resourcesOf(service, 'AWS::CloudWatch::Alarm'));
    const watching = (name: string): string[] => {
      const groups = resourcesOf(service, 'AWS::CodeDeploy::DeploymentGroup');
      const [, group] = groups.find(([id]) => id.startsWith(`Canary${name}`)) ?? [];
      const refs: Properties[] = group?.AlarmConfiguration.Alarms ?? [];
      return refs.map(({ Name }) => alarms.get(Name.Ref)?.AlarmName.replace('account-service-dev-', '')).toSorted();
    };
    expect(watching('downloads')).toEqual([
      'api-release-answers',
      'downloads-release-errors',
      'legacy-release-answers',
    ]);
    expect(watching('media')).toEqual(['design-release-answers', 'media-release-errors']);
    const errors = [...alarms.values()].find(({ AlarmName }) => AlarmName.endsWith('api-release-errors'));
    expect(errors).toMatchObject({ MetricName: 'Errors', Period: 60, Threshold: 0, TreatMissingData: 'notBreaching' });
    expect(errors?.Dimensions.map(({ Name }: Properties) => Name)).toEqual(['FunctionName', 'Resource']);
    expect(JSON.stringify(errors?.Dimensions)).toContain(':live');
  });

  test('the alarms of a release need nothing of another stack, so that the stack of the functions comes first', () => {
    const { service, data } = canary.stacks;
    expect(service.dependencies).toEqual([data]);
  });

  test('the dashboard shows the alarms of a release beside the others', () => {
    const { operations } = canary.templates;
    const [[, { DashboardBody }] = ['', {}]] = resourcesOf(operations, 'AWS::CloudWatch::Dashboard');
    expect(JSON.stringify(DashboardBody)).toContain('Canaryapireleaseerrors');
  });

  test('versions outlive their release, so that CodeDeploy and the operator can go back to them', () => {
    canary.templates.service.allResources('AWS::Lambda::Version', { UpdateReplacePolicy: 'Retain' });
  });
});

describe('traces', () => {
  test('no function and no gateway traces, unless the context says so', () => {
    const { service } = plain;
    service.allResourcesProperties('AWS::Lambda::Function', { TracingConfig: Match.absent() });
    service.allResourcesProperties('AWS::ApiGateway::Stage', { TracingEnabled: Match.absent() });
  });

  test('with X-Ray every function and every REST API traces, and the functions may write traces and no more', () => {
    const service = serviceOf({ tracing: 'xray' });
    service.allResourcesProperties('AWS::Lambda::Function', { TracingConfig: { Mode: 'Active' } });
    service.allResourcesProperties('AWS::ApiGateway::Stage', { TracingEnabled: true });
    const everywhere = resourcesOf(service, 'AWS::IAM::Policy')
      .flatMap(([, { PolicyDocument }]) => PolicyDocument.Statement as Properties[])
      .filter(({ Resource }) => Resource === '*');
    expect(everywhere).toHaveLength(FUNCTIONS.length);
    for (const { Action } of everywhere) expect(Action).toEqual(['xray:PutTelemetryRecords', 'xray:PutTraceSegments']);
  });
});

describe('started instances', () => {
  test('the alias of a function keeps as many instances started as the context says, and those of others none', () => {
    const aliases = Object.entries(serviceOf({ apiProvisioned: '3' }).findResources('AWS::Lambda::Alias'));
    const kept = aliases.flatMap(([id, { Properties: alias }]) =>
      alias.ProvisionedConcurrencyConfig ? [[id.slice(0, 7), alias.ProvisionedConcurrencyConfig]] : [],
    );
    expect(kept).toEqual([['apiLive', { ProvisionedConcurrentExecutions: 3 }]]);
  });

  test('the page has the price of a started instance, by the memory of the function', () => {
    const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'aws', 'releases.md'), 'utf8');
    expect(page).toContain(`an instance costs ${startedMonth().toFixed(2)} dollars a month`);
  });

  test('the dashboard shows how many of the started instances work, and the calls that found none', () => {
    const { operations } = synthesized(bundles, { apiProvisioned: '3' }).templates;
    const used = metricsOf(operations).filter(({ name }) => name.startsWith('Provisioned'));
    expect(used.map(({ name, dimensions }) => [name, dimensions])).toEqual([
      ['ProvisionedConcurrencyUtilization', ['FunctionName', 'Resource']],
      ['ProvisionedConcurrencySpilloverInvocations', ['FunctionName', 'Resource']],
    ]);
  });

  test.each([
    [{ apiProvisioned: '0' }, /takes a whole number from 1/],
    [{ replayProvisioned: '1' }, /no setting/],
    [{ apiProvisioned: '1', deployment: 'canary' }, /exclude each other/],
    [{ apiProvisioned: '8', apiConcurrency: '7' }, /at most 7/],
  ])('settings that Lambda would refuse are refused before: %o', (context, complaint) => {
    expect(() => serviceOf(context)).toThrow(complaint);
  });
});

describe('the budget', () => {
  const budget = { monthlyBudget: '200', alarmEmail: 'operator@example.com' };
  const subscriber = (type: string) => [{ [type]: 'EMAIL', Address: 'operator@example.com' }];

  test('a budget mails at 80 % of what was spent, and when more than all of it is forecast, by the tag of the app', () => {
    const { operations } = synthesized(bundles, budget).templates;
    const notice = (NotificationType: string, Threshold: number) => ({
      Notification: { NotificationType, Threshold, ThresholdType: 'PERCENTAGE', ComparisonOperator: 'GREATER_THAN' },
      Subscribers: subscriber('SubscriptionType'),
    });
    operations.hasResourceProperties('AWS::Budgets::Budget', {
      Budget: {
        BudgetType: 'COST',
        TimeUnit: 'MONTHLY',
        BudgetLimit: { Amount: 200, Unit: 'USD' },
        CostFilters: { TagKeyValue: ['user:service$account-service'] },
      },
      NotificationsWithSubscribers: [notice('ACTUAL', 80), notice('FORECASTED', 100)],
    });
  });

  test('a budget comes with mails about days that cost a tenth of it more than usual', () => {
    const { operations } = synthesized(bundles, budget).templates;
    const [[id, monitor] = []] = resourcesOf(operations, 'AWS::CE::AnomalyMonitor');
    expect(monitor?.MonitorType).toBe('CUSTOM');
    expect(JSON.parse(monitor?.MonitorSpecification)).toEqual({
      Tags: { Key: 'user:service', Values: ['account-service'] },
    });
    const [[, subscription] = []] = resourcesOf(operations, 'AWS::CE::AnomalySubscription');
    expect(subscription).toMatchObject({
      Frequency: 'DAILY',
      MonitorArnList: [{ 'Fn::GetAtt': [id, 'MonitorArn'] }],
      Subscribers: subscriber('Type'),
    });
    expect(JSON.parse(subscription?.ThresholdExpression).Dimensions.Values).toEqual(['20']);
  });

  test('a stage has no budget by itself, and one that nobody would hear of is refused', () => {
    plain.operations.resourceCountIs('AWS::Budgets::Budget', 0);
    expect(() => synthesized(bundles, { monthlyBudget: '200' })).toThrow(/set that too/);
  });
});
