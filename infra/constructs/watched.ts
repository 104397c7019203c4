import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  type CfnAlarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../../adapters/lambda-events/deployment.ts';
import { FUNCTIONS, type FunctionName } from '../bundles/functions.ts';
import { BACKGROUND, STREAMING } from '../routes.ts';
import type { Stage } from '../stage.ts';
import { type HostApi, THROTTLED } from './host-api.ts';
import type { HostFunction } from './host-function.ts';
import type { Jobs } from './jobs.ts';

/** The parts of the service stack that have alarms. */
export type Service = {
  readonly hosts: readonly HostApi[];
  readonly functions: Readonly<Record<FunctionName, HostFunction>>;
  readonly jobs: Jobs;
};

/** The treatment of a period without data by an alarm. */
export const MISSING = {
  /** No requests are not a fault. The probe notices if no request can arrive. */
  idle: TreatMissingData.NOT_BREACHING,
  /** AWS sends the metric only with a fault. Otherwise the alarm would keep its state until the next fault. */
  faultsAlone: TreatMissingData.NOT_BREACHING,
  /** The metric is sent every minute. Without it nothing is watched. */
  always: TreatMissingData.BREACHING,
} as const;

export type WatchedMetric = {
  readonly id: string;
  readonly what: string;
  readonly metric: IMetric;
  /** The alarm fires beyond this value: above `over`, or below `under`. */
  readonly bound: { readonly over: number } | { readonly under: number };
  /** The number of periods that must exceed the bound, out of the last ones; one of one by default. */
  readonly of?: readonly [times: number, periods: number];
  /** `idle` by default. */
  readonly missing?: keyof typeof MISSING;
  /** True for periods that are calendar days or weeks (UTC) instead of those that end now. */
  readonly byCalendar?: boolean;
};

const period = Duration.minutes(5);

/** The percentage of failed requests; zero if the condition on `failed` and `asked` does not hold. */
export const failedPercent = (api: RestApi, every: Duration, condition: string): IMetric =>
  new MathExpression({
    expression: `IF(${condition}, 100 * failed / asked, 0)`,
    usingMetrics: {
      failed: api.metricServerError({ period: every, statistic: 'Sum' }),
      asked: api.metricCount({ period: every, statistic: 'SampleCount' }),
    },
    label: 'Requests that failed, %',
    period: every,
  });

/** A single fault at night wakes nobody; the third within five minutes does, in a shop of any size. */
const MORE_THAN_TWO = 'failed > 2';

const watchedHosts = ({ hosts }: Service): WatchedMetric[] =>
  hosts.flatMap(({ host, api }): WatchedMetric[] => [
    {
      id: `${host}-errors`,
      what: 'More than 1 % of the requests failed',
      metric: failedPercent(api, period, MORE_THAN_TWO),
      bound: { over: 1 },
    },
    {
      id: `${host}-latency`,
      what: 'One request in a hundred took more than 2 s',
      metric: api.metricLatency({ period, statistic: 'p99' }),
      bound: { over: 2000 },
      of: [3, 3],
    },
  ]);

const watchedFunctions = ({ functions }: Service): WatchedMetric[] =>
  FUNCTIONS.flatMap((name): WatchedMetric[] => {
    const { function: fn } = functions[name];
    const slow: WatchedMetric = {
      id: `${name}-duration`,
      what: 'The function takes more than 5 s',
      metric: fn.metricDuration({ period, statistic: 'p99' }),
      bound: { over: 5000 },
      of: [3, 3],
    };
    const errors: WatchedMetric = {
      id: `${name}-function-errors`,
      what: 'The function fails',
      metric: fn.metricErrors({ period }),
      bound: { over: 0 },
    };
    return [errors, ...(STREAMING.includes(name) || BACKGROUND.includes(name) ? [] : [slow])];
  });

/** A metric of the service itself, in its stage only. */
const own = (stage: string, metricName: string, statistic: string, every: Duration): IMetric =>
  new Metric({ namespace: METRICS_NAMESPACE, metricName, dimensionsMap: { stage }, statistic, period: every });

/** The metric of a schedule. A stopped schedule is as bad as the fault that it would find. */
const counted = (id: string, what: string, metric: IMetric): WatchedMetric => ({
  id,
  what,
  metric,
  bound: { over: 0 },
  missing: 'always',
});

const watchedStore = ({ name, mail, webhooks }: Stage): WatchedMetric[] => {
  const quarter = Duration.minutes(15);
  // A finding that the next run no longer reports, and a message that the next attempt delivers, are not faults.
  const wrong = own(name, 'doctor_wrong', 'Minimum', Duration.hours(1));
  const unsent = own(name, 'unsent_mail', 'Minimum', quarter);
  return [
    counted('doctor', 'The doctor finds something wrong, or nobody runs it', wrong),
    ...(mail ? [counted('mail', 'Messages to buyers don’t go out', unsent)] : []),
    ...(webhooks
      ? [counted('sale-events', 'A sale is not recorded', own(name, 'sale_events', 'Maximum', quarter))]
      : []),
  ];
};

/**
 * The limits that all callers share: those of API Gateway, and the instances of the account. The metrics of Lambda are
 * those of the account in the region, because its functions share one quota.
 */
const watchedBounds = ({ name: stage, instances }: Stage): WatchedMetric[] => [
  {
    id: 'gateway-throttles',
    what: 'API Gateway answered requests with 429',
    metric: own(stage, THROTTLED, 'Sum', period),
    bound: { over: 0 },
    of: [2, 3],
    missing: 'faultsAlone',
  },
  {
    id: 'function-throttles',
    what: 'Lambda refused calls',
    metric: LambdaFunction.metricAllThrottles({ period }),
    bound: { over: 0 },
  },
  {
    id: 'function-instances',
    what: 'Four fifths of the account’s instances are busy',
    metric: LambdaFunction.metricAllConcurrentExecutions({ period }),
    bound: { over: Math.floor(instances * 0.8) },
  },
];

/** The sum of metrics that AWS sends only with a fault, or only with a success; 0 if there are none. */
const sumOf = (metrics: readonly Metric[], every: Duration): IMetric =>
  new MathExpression({
    expression: metrics.map((_, n) => `FILL(m${n}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, n) => [`m${n}`, metric])),
    period: every,
  });

/**
 * The throttled reads or writes of the table. DynamoDB sends `ThrottledRequests` only by operation, and these events by
 * table (DynamoDB Developer Guide, "DynamoDB Metrics and dimensions"). An alarm on a metric of DynamoDB itself would
 * never end, because CloudWatch keeps its state when data is missing (PutMetricAlarm, `TreatMissingData`).
 */
const watchedTable = (table: ITableV2): WatchedMetric[] =>
  (['Read', 'Write'] as const).map((kind) => {
    const metricName = `${kind}ThrottleEvents`;
    const dimensionsMap = { TableName: table.tableName };
    const throttled = new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic: 'Sum', period });
    return {
      id: `table-${kind.toLowerCase()}-throttles`,
      what: `${kind}s of the table are throttled`,
      metric: sumOf([throttled], period),
      bound: { over: 0 },
      of: [2, 3],
      missing: 'faultsAlone',
    };
  });

/**
 * The jobs of AWS Backup on a vault: failed jobs, and the age of the latest backups of table and files. Calendar
 * windows tolerate a backup that takes a few hours longer than the previous one.
 */
export const watchedBackup = (vault: string, every: 'day' | 'week'): WatchedMetric[] => {
  const dimensionsMap = { BackupVaultName: vault };
  const jobs = (kind: string, per: Duration) =>
    new Metric({
      namespace: 'AWS/Backup',
      metricName: `NumberOf${kind}`,
      dimensionsMap,
      statistic: 'Sum',
      period: per,
    });
  const [hour, turn] = [Duration.hours(1), Duration.days(every === 'day' ? 1 : 7)];
  const failing = ['BackupJobsFailed', 'BackupJobsExpired', 'BackupJobsAborted', 'CopyJobsFailed'];
  return [
    {
      id: 'backup-failed',
      what: 'A copy of AWS Backup failed',
      metric: sumOf(
        failing.map((kind) => jobs(kind, hour)),
        hour,
      ),
      bound: { over: 0 },
    },
    {
      id: 'backup-old',
      what: `Table or files have no copy of the last ${every === 'day' ? 'two days' : 'week'}`,
      metric: sumOf([jobs('BackupJobsCompleted', turn)], turn),
      bound: { under: 2 },
      of: every === 'day' ? [2, 2] : [1, 1],
      missing: 'always',
      byCalendar: true,
    },
  ];
};

const watchedJobs = ({ jobs: { queue, deadLetters } }: Service): WatchedMetric[] => [
  {
    id: 'jobs-waiting',
    what: 'A job has waited for more than an hour',
    metric: queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
    bound: { over: 3600 },
  },
  {
    id: 'dead-letters',
    what: 'A job was given up',
    metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
    bound: { over: 0 },
  },
];

/** All alarms of the service, and of the table in use. */
export const watchedOf = (stage: Stage, service: Service, table: ITableV2): readonly WatchedMetric[] => [
  ...watchedHosts(service),
  ...watchedFunctions(service),
  ...watchedBounds(stage),
  ...watchedStore(stage),
  ...watchedTable(table),
  ...watchedJobs(service),
];

/**
 * An alarm. Its name is that of docs/aws.md after the stage, so that a mail leads to the row with causes and remedies.
 */
export const alarmOf = (scope: Construct, { name: stage }: Stage, watched: WatchedMetric): Alarm => {
  const { id, what, metric, bound, of: [times, periods] = [1, 1], missing = 'idle', byCalendar } = watched;
  const [threshold, comparisonOperator] =
    'over' in bound
      ? [bound.over, ComparisonOperator.GREATER_THAN_THRESHOLD]
      : [bound.under, ComparisonOperator.LESS_THAN_THRESHOLD];
  const alarm = new Alarm(scope, id, {
    alarmName: `account-service-${stage}-${id}`,
    alarmDescription: what,
    metric,
    threshold,
    comparisonOperator,
    datapointsToAlarm: times,
    evaluationPeriods: periods,
    treatMissingData: MISSING[missing],
  });
  if (byCalendar) (alarm.node.defaultChild as CfnAlarm).evaluationWindow = { wallClockWindow: {} };
  return alarm;
};

/** An alarm that notifies the topic when it begins and when it ends. */
export const toldAlarm = (scope: Construct, stage: Stage, watched: WatchedMetric, topic: ITopic): Alarm => {
  const alarm = alarmOf(scope, stage, watched);
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
  return alarm;
};
