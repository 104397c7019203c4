import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FUNCTIONS, type FunctionName } from '../bundles/functions.ts';
import { BACKGROUND, STREAMING } from '../routes.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { gatewaysOf, type Hosts } from './gateways.ts';
import type { HostFunction } from './host-function.ts';
import type { Jobs } from './jobs.ts';

/** The parts of the service stack that have alarms. */
export type Service = Hosts & {
  readonly functions: Readonly<Record<FunctionName, HostFunction>>;
  readonly jobs: Jobs;
};

/** The way in which an alarm takes a period without data. */
export const MISSING = {
  /** Nobody asked, which is no fault. The probe notices where nobody can ask. */
  idle: TreatMissingData.NOT_BREACHING,
  /** AWS sends the metric with a fault alone. Otherwise the alarm would stay as it is until the next fault. */
  faultsAlone: TreatMissingData.NOT_BREACHING,
  /** The metric comes every minute. Without it nobody watches. */
  always: TreatMissingData.BREACHING,
} as const;

export type Watched = {
  readonly id: string;
  readonly what: string;
  readonly metric: IMetric;
  /** The alarm fires beyond this value: above `over`, or below `under`. */
  readonly bound: { readonly over: number } | { readonly under: number };
  /** The number of periods that have to be beyond the bound, out of the last ones; one of one is the default. */
  readonly of?: readonly [times: number, periods: number];
  readonly missing: keyof typeof MISSING;
};

const period = Duration.minutes(5);

/** The percentage of the requests that failed, and zero where the condition on `failed` and `asked` is not met. */
export const failedPercent = ({ serverError, count }: GatewayMetrics, every: Duration, condition: string): IMetric =>
  new MathExpression({
    expression: `IF(${condition}, 100 * failed / asked, 0)`,
    usingMetrics: {
      failed: serverError({ period: every, statistic: 'Sum' }),
      asked: count({ period: every, statistic: 'SampleCount' }),
    },
    label: 'Requests that failed, %',
    period: every,
  });

/** One fault at night wakes nobody; the third of five minutes does, in a shop of any size. */
const MORE_THAN_TWO = 'failed > 2';

const watchedGateways = (service: Service): Watched[] =>
  gatewaysOf(service).flatMap((gateway): Watched[] => [
    {
      id: `${gateway.name}-errors`,
      what: 'More than 1 % of the requests failed',
      metric: failedPercent(gateway, period, MORE_THAN_TWO),
      bound: { over: 1 },
      missing: 'idle',
    },
    {
      id: `${gateway.name}-latency`,
      what: 'One request in a hundred took more than 2 s',
      metric: gateway.latency({ period, statistic: 'p99' }),
      bound: { over: 2000 },
      of: [3, 3],
      missing: 'idle',
    },
  ]);

const watchedFunctions = ({ functions }: Service): Watched[] =>
  FUNCTIONS.flatMap((name): Watched[] => {
    const { function: fn } = functions[name];
    const slow: Watched = {
      id: `${name}-duration`,
      what: 'The function takes more than 5 s',
      metric: fn.metricDuration({ period, statistic: 'p99' }),
      bound: { over: 5000 },
      of: [3, 3],
      missing: 'idle',
    };
    const above = { bound: { over: 0 }, missing: 'idle' } as const;
    return [
      { id: `${name}-function-errors`, what: 'The function fails', metric: fn.metricErrors({ period }), ...above },
      { id: `${name}-throttles`, what: 'The function is throttled', metric: fn.metricThrottles({ period }), ...above },
      ...(STREAMING.includes(name) || BACKGROUND.includes(name) ? [] : [slow]),
    ];
  });

/**
 * The throttled reads or writes of the table. DynamoDB sends `ThrottledRequests` for each operation alone, and these
 * events for the table (DynamoDB Developer Guide, "DynamoDB Metrics and dimensions").
 */
const watchedTable = (table: ITableV2): Watched[] =>
  (['Read', 'Write'] as const).map((kind) => ({
    id: `table-${kind.toLowerCase()}-throttles`,
    what: `${kind}s of the table are throttled`,
    metric: new Metric({
      namespace: 'AWS/DynamoDB',
      metricName: `${kind}ThrottleEvents`,
      dimensionsMap: { TableName: table.tableName },
      statistic: 'Sum',
      period,
    }),
    bound: { over: 0 },
    of: [2, 3],
    missing: 'faultsAlone',
  }));

const watchedJobs = ({ jobs: { queue, deadLetters } }: Service): Watched[] => [
  {
    id: 'jobs-waiting',
    what: 'A job has waited for more than an hour',
    metric: queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
    bound: { over: 3600 },
    missing: 'idle',
  },
  {
    id: 'dead-letters',
    what: 'A job was given up',
    metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
    bound: { over: 0 },
    missing: 'idle',
  },
];

/** Everything of the service that has an alarm, and of the table in use. */
export const watchedOf = (service: Service, table: ITableV2): readonly Watched[] => [
  ...watchedGateways(service),
  ...watchedFunctions(service),
  ...watchedTable(table),
  ...watchedJobs(service),
];
