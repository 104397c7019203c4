import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { FUNCTIONS } from '../bundles/functions.ts';
import { BACKGROUND } from '../routes.ts';
import { named } from './given.ts';
import { type Properties, resourcesOf, synthesized } from './synthesized.ts';

/** A stage without any of the options. */
const plain = synthesized().templates;
const canary = synthesized({ deployment: 'canary' });

const REQUESTED = FUNCTIONS.filter((name) => !BACKGROUND.includes(name));

describe('a canary release', () => {
  test('a stage releases all at once unless its settings say otherwise', () => {
    const { service } = plain;
    service.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
    service.allResources('AWS::Lambda::Alias', { UpdatePolicy: Match.absent() });
    service.resourceCountIs('AWS::CloudWatch::Alarm', 0);
  });

  test('a tenth of each function’s calls use the new version for five minutes, but workers switch at once', () => {
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
    expect(aliases.filter((one) => !moved.includes(one)).map(([id]) => id)).toEqual([
      expect.stringMatching(/^mail/),
      expect.stringMatching(/^replay/),
    ]);
    const used = moved.map(([, { UpdatePolicy }]) => UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName.Ref);
    expect(used.toSorted()).toEqual([...groups.keys()].toSorted());
  });

  test('each release is watched by the errors of its alias and the responses of every host that it serves', () => {
    const service = synthesized({ deployment: 'canary', ...named('legacy') }).templates.service;
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

  test('the alarms of a release depend on no other stack, so the stack of the functions is deployed first', () => {
    const { service, data } = canary.stacks;
    expect(service.dependencies).toEqual([data]);
  });

  test('the dashboard shows the alarms of a release beside the others', () => {
    const { operations } = canary.templates;
    const [[, { DashboardBody }] = ['', {}]] = resourcesOf(operations, 'AWS::CloudWatch::Dashboard');
    expect(JSON.stringify(DashboardBody)).toContain('Canaryapireleaseerrors');
  });
});

describe('the budget', () => {
  test('a budget mails at 80 % of its amount, and when the forecast exceeds it, by the tag of the app', () => {
    const { operations } = synthesized({ monthlyBudget: 200, alarmEmail: 'operator@example.com' }).templates;
    const notice = (NotificationType: string, Threshold: number) => ({
      Notification: { NotificationType, Threshold, ThresholdType: 'PERCENTAGE', ComparisonOperator: 'GREATER_THAN' },
      Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'operator@example.com' }],
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

  test('a stage has no budget by default', () => {
    plain.operations.resourceCountIs('AWS::Budgets::Budget', 0);
  });
});
