import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { timeoutOf } from '../constructs/host-function.ts';
import { faultOf } from './documented-metrics.ts';
import { ALL_NAMES, IMAGE, named } from './given.ts';
import { type Given, type Properties, resourcesOf, synthesized } from './synthesized.ts';
import { metricsOf } from './used-metrics.ts';

const prod = synthesized({ stage: 'prod' });

const SALES = {
  mail: { from: 'shop@example.com' },
  webhooks: { secretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:webhooks-AbCdEf' },
  backup: { every: 'day' },
} as const;

/** Stages that together have every alarm and every widget. */
const STAGES: readonly Given[] = [
  {},
  { stage: 'prod', ...ALL_NAMES, container: { image: IMAGE }, ...SALES },
  { deployment: 'canary', ...named('legacy') },
];

describe('the metrics of alarms and widgets', () => {
  test.each(STAGES)('each metric is documented by its owner with exactly one set of dimensions: %o', (given) => {
    const { templates } = synthesized(given);
    const used = [templates.service, templates.operations].flatMap(metricsOf);
    expect(used.length).toBeGreaterThan(60);
    expect(used.map(faultOf).filter((fault) => fault !== undefined)).toEqual([]);
  });

  test.each([
    ['a metric for a table that is sent for its operations', 'AWS/DynamoDB', 'ThrottledRequests', ['TableName'], 'Sum'],
    ['a metric that nobody sends', 'AWS/Lambda', 'Failures', ['FunctionName'], 'Sum'],
    ['dimensions of another kind of API', 'AWS/ApiGateway', '5XXError', ['ApiId'], 'Sum'],
    ['a sum of times', 'AWS/Lambda', 'Duration', ['FunctionName'], 'Sum'],
  ])('the check of metrics finds %s', (_, namespace, name, dimensions, statistic) => {
    expect(faultOf({ namespace, name, dimensions, statistic })).toMatch(/is not sent by|makes no sense/);
  });
});

const alarms = ({ templates } = prod) =>
  resourcesOf(templates.operations, 'AWS::CloudWatch::Alarm').map(([, alarm]) => alarm);

/** The alarm with this name. */
const alarm = (id: string, of = prod): Properties => {
  const found = alarms(of).find(({ AlarmName }) => AlarmName === `account-service-prod-${id}`);
  if (!found) throw new Error(`There is no alarm ${id}.`);
  return found;
};

describe('the alarms', () => {
  test('each alarm has its own name and description, and notifies the topic when it begins and ends', () => {
    expect(new Set(alarms().map(({ AlarmName }) => AlarmName)).size).toBe(alarms().length);
    for (const { AlarmActions, OKActions, AlarmDescription } of alarms()) {
      expect([AlarmActions, OKActions]).toEqual([[expect.anything()], [expect.anything()]]);
      expect(AlarmDescription).not.toBe('');
    }
  });

  test('requests raise an alarm from the third failure in five minutes on, in a shop of any size', () => {
    const { Metrics, Threshold } = alarm('api-errors');
    const expression = Metrics.find(({ Expression }: Properties) => Expression !== undefined).Expression;
    expect([expression, Threshold]).toEqual(['IF(failed > 2, 100 * failed / asked, 0)', 1]);
  });

  test('throttled reads and writes of the table have separate alarms, which end with the throttling', () => {
    for (const kind of ['Read', 'Write']) {
      const { Metrics, ...found } = alarm(`table-${kind.toLowerCase()}-throttles`);
      expect(found).toMatchObject({ Threshold: 0, TreatMissingData: 'notBreaching' });
      const [sum, throttled] = Metrics;
      // For DynamoDB's own metrics, CloudWatch ignores an alarm's treatment of missing data.
      expect(sum.Expression).toBe('FILL(m0, 0)');
      expect(throttled.MetricStat.Metric).toMatchObject({
        Namespace: 'AWS/DynamoDB',
        MetricName: `${kind}ThrottleEvents`,
        Dimensions: [{ Name: 'TableName' }],
      });
    }
  });

  const selling = synthesized({ stage: 'prod', ...SALES });

  test.each([
    ['doctor', 'doctor_wrong', 'Minimum', 3600],
    ['mail', 'unsent_mail', 'Minimum', 900],
    ['sale-events', 'sale_events', 'Maximum', 900],
  ])('the alarm %s reads what the functions of its stage write, and notices a stopped schedule', (id, name, Statistic, Period) => {
    expect(alarm(id, selling)).toMatchObject({
      Namespace: 'AccountService',
      MetricName: name,
      Statistic,
      Period,
      Threshold: 0,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'breaching',
    });
    const [{ Value } = { Value: '' }] = alarm(id, selling).Dimensions;
    const functions = resourcesOf(selling.templates.service, 'AWS::Lambda::Function');
    expect(new Set(functions.map(([, fn]) => fn.Environment.Variables.STAGE))).toEqual(new Set([Value]));
  });

  test('a stage without mail, events and copies has no alarm for them', () => {
    const ids = alarms().map(({ AlarmName }) => AlarmName.slice('account-service-prod-'.length));
    expect(ids.filter((id) => /^(?:mail$|sale|backup|container)/.test(id))).toEqual([]);
  });

  test('the doctor’s schedule calls the shop function more often than its alarm expects', () => {
    selling.templates.service.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(30 minutes)',
      Targets: [Match.objectLike({ Input: '{"doctor":true}', Arn: { Ref: Match.stringLikeRegexp('^shopLive') } })],
    });
  });

  test.each([
    ['day', 86_400, 2],
    ['week', 604_800, 1],
  ] as const)('failed copies and copies missing for %ss raise an alarm on the right vault', (every, Period, periods) => {
    const backed = synthesized({ stage: 'prod', backup: { every } });
    const [[, vault] = []] = resourcesOf(backed.templates.backup, 'AWS::Backup::BackupVault');
    const [old, failed] = [alarm('backup-old', backed), alarm('backup-failed', backed)];
    expect(old).toMatchObject({
      Threshold: 2,
      ComparisonOperator: 'LessThanThreshold',
      EvaluationPeriods: periods,
      DatapointsToAlarm: periods,
      TreatMissingData: 'breaching',
      EvaluationWindow: { WallClockWindow: {} },
    });
    expect(failed).toMatchObject({ Threshold: 0, ComparisonOperator: 'GreaterThanThreshold' });
    const read = [...old.Metrics, ...failed.Metrics].flatMap(({ MetricStat }: Properties) => MetricStat ?? []);
    expect(read.map(({ Metric: { MetricName } }) => MetricName)).toEqual([
      'NumberOfBackupJobsCompleted',
      'NumberOfBackupJobsFailed',
      'NumberOfBackupJobsExpired',
      'NumberOfBackupJobsAborted',
      'NumberOfCopyJobsFailed',
    ]);
    for (const { Metric } of read)
      expect(Metric.Dimensions).toEqual([{ Name: 'BackupVaultName', Value: vault?.BackupVaultName }]);
    expect(read[0]?.Period).toBe(Period);
  });

  test('no alarm’s latency threshold exceeds a call’s timeout, so a slow service raises each', () => {
    const functionMs = timeoutOf('api').toMilliseconds();
    const durations = alarms().filter(({ MetricName }) => MetricName === 'Duration');
    expect(durations.length).toBeGreaterThan(4);
    for (const { Threshold } of durations) expect(Threshold).toBeLessThan(functionMs);
    const latencies = alarms().filter(({ MetricName }) => MetricName === 'Latency');
    expect(latencies).toHaveLength(3);
    for (const { Threshold } of latencies) expect(Threshold).toBeLessThan(functionMs);
    const [[, queue] = []] = resourcesOf(prod.templates.service, 'AWS::SQS::Queue').filter(([, q]) => q.RedrivePolicy);
    expect(alarm('jobs-waiting').Threshold).toBeLessThan(queue?.MessageRetentionPeriod);
  });

  test('the operations stack imports no export, so a setting can remove what an alarm watches', () => {
    const template = JSON.stringify(prod.templates.operations.toJSON());
    expect(template).toContain('"Fn::GetStackOutput"');
    expect(template).not.toContain('"Fn::ImportValue"');
  });

  test('CloudWatch may publish this account’s alarms to the topic, and TLS is still required', () => {
    const [[, policy] = []] = resourcesOf(prod.templates.operations, 'AWS::SNS::TopicPolicy');
    expect(policy?.PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    ]);
  });

  test('a 429 of API Gateway itself is counted from the access log of each API and raises an alarm', () => {
    expect(alarm('gateway-throttles')).toMatchObject({
      Namespace: 'AccountService',
      MetricName: 'gateway_throttled',
      Dimensions: [{ Name: 'stage', Value: 'prod' }],
      Threshold: 0,
    });
    const { service } = prod.templates;
    const groups = resourcesOf(service, 'AWS::ApiGateway::Stage').map(
      ([
        ,
        {
          AccessLogSetting: { DestinationArn, Format },
        },
      ]) => {
        expect(JSON.parse(Format)).toMatchObject({ refused: '$context.error.responseType', stage: '$context.stage' });
        return DestinationArn['Fn::GetAtt'][0];
      },
    );
    const filters = resourcesOf(service, 'AWS::Logs::MetricFilter').map(([, filter]) => filter);
    expect(filters.map(({ LogGroupName }) => LogGroupName.Ref).toSorted()).toEqual(groups.toSorted());
    for (const { FilterPattern, MetricTransformations } of filters) {
      expect(FilterPattern).toBe('{ $.refused = "THROTTLED" }');
      expect(MetricTransformations).toEqual([
        expect.objectContaining({
          MetricNamespace: 'AccountService',
          MetricName: 'gateway_throttled',
          Dimensions: [{ Key: 'stage', Value: '$.stage' }],
        }),
      ]);
    }
  });

  test('refused calls and busy instances of the account have one alarm each, for all functions together', () => {
    const ofLambda = (metric: string) =>
      alarms().filter(({ Namespace, MetricName }) => Namespace === 'AWS/Lambda' && MetricName === metric);
    expect(ofLambda('Throttles')).toEqual([expect.objectContaining({ Threshold: 0, Statistic: 'Sum' })]);
    expect(ofLambda('ConcurrentExecutions')).toEqual([
      expect.objectContaining({ Threshold: 800, Statistic: 'Maximum' }),
    ]);
    for (const one of [...ofLambda('Throttles'), ...ofLambda('ConcurrentExecutions')])
      expect(one).not.toHaveProperty('Dimensions');
    const { operations } = synthesized({ instances: 10 }).templates;
    operations.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName: 'ConcurrentExecutions', Threshold: 8 });
  });

  test('an alarm without a subscriber causes a warning at synthesis, and the topic is an output', () => {
    const warned = Match.stringLikeRegexp('nobody hears them');
    Annotations.fromStack(prod.stacks.operations).hasWarning('*', warned);
    prod.templates.operations.hasOutput('AlarmTopicArn', {});
    const { stacks } = synthesized({ alarmEmail: 'operator@example.com' });
    Annotations.fromStack(stacks.operations).hasNoWarning('*', warned);
  });
});

describe('the probe', () => {
  const probeOf = (given: Given) => {
    const { operations } = synthesized(given).templates;
    const [[, fn] = []] = resourcesOf(operations, 'AWS::Lambda::Function');
    return { operations, variables: fn?.Environment.Variables };
  };

  test('the probe runs each minute, and three failed or missing minutes of five raise an alarm', () => {
    prod.templates.operations.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 minute)',
      Targets: [Match.objectLike({ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^ProbeFunction'), 'Arn'] } })],
    });
    expect(alarm('probe')).toMatchObject({
      Namespace: 'AccountService',
      MetricName: 'probe_ok',
      Period: 60,
      Statistic: 'Minimum',
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      DatapointsToAlarm: 3,
      EvaluationPeriods: 5,
      TreatMissingData: 'breaching',
    });
  });

  test('the probe calls every host by its public name, and may only write its log', () => {
    const { operations, variables } = probeOf(named('api', 'account'));
    expect(variables.PROBE_API_URL).toBe('https://api.example.com');
    expect(JSON.stringify(variables.PROBE_OTHER_URLS)).toContain('https://account.example.com');
    expect(JSON.stringify(variables.PROBE_OTHER_URLS)).toMatch(/appapi.*designapi/);
    expect(variables).not.toHaveProperty('PROBE_KEY_SECRET_ARN');
    const statements = resourcesOf(operations, 'AWS::IAM::Policy').flatMap(([, p]) => p.PolicyDocument.Statement);
    expect(statements.flatMap(({ Action }) => Action).toSorted()).toEqual([
      'logs:CreateLogStream',
      'logs:PutLogEvents',
    ]);
  });

  test('the probe with a product and a key may read only that key’s secret', () => {
    const keySecretArn = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:probe-AbCdEf';
    const { operations, variables } = probeOf({ probe: { product: 4, keySecretArn } });
    expect(variables).toMatchObject({ PROBE_PRODUCT: '4', PROBE_KEY_SECRET_ARN: keySecretArn });
    operations.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Action: 'secretsmanager:GetSecretValue', Resource: keySecretArn }),
        ]),
      },
    });
  });
});
