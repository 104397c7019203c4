import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { FUNCTIONS } from '../bundles/functions.ts';
import { BACKGROUND, STREAMING } from '../routes.ts';
import type { ServiceStack } from '../stacks/service-stack.ts';

type Watched = {
  readonly id: string;
  readonly what: string;
  readonly metric: IMetric;
  readonly over: number;
  /** The number of periods that have to be over the limit, out of the last ones; one of one is the default. */
  readonly of?: readonly [times: number, periods: number];
};

const period = Duration.minutes(5);

/** Calls of any kind that DynamoDB throttled on the table. */
const tableThrottles = ({ table }: ServiceStack): IMetric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName: 'ThrottledRequests',
    dimensionsMap: { TableName: table.tableName },
    statistic: 'Sum',
    period,
  });

const apiAlarms = ({ apis, named }: ServiceStack): Watched[] =>
  Object.entries({ ...apis, ...named }).flatMap(([host, { api }]) => {
    const failed = new MathExpression({
      expression: 'IF(asked > 20, 100 * failed / asked, 0)',
      usingMetrics: { failed: api.metricServerError({ period, statistic: 'Sum' }), asked: api.metricCount({ period }) },
      label: 'Requests that failed, %',
      period,
    });
    return [
      { id: `${host}-errors`, what: 'More than 1 % of the requests failed', metric: failed, over: 1 },
      {
        id: `${host}-latency`,
        what: 'One request in a hundred took more than 2 s',
        metric: api.metricLatency({ period, statistic: 'p99' }),
        over: 2000,
        of: [3, 3] as const,
      },
    ];
  });

const functionAlarms = ({ functions }: ServiceStack): Watched[] =>
  FUNCTIONS.flatMap((name) => {
    const { function: fn } = functions[name];
    const slow: Watched = {
      id: `${name}-duration`,
      what: 'The function takes more than 5 s',
      metric: fn.metricDuration({ period, statistic: 'p99' }),
      over: 5000,
      of: [3, 3],
    };
    return [
      { id: `${name}-function-errors`, what: 'The function fails', metric: fn.metricErrors({ period }), over: 0 },
      { id: `${name}-throttles`, what: 'The function is throttled', metric: fn.metricThrottles({ period }), over: 0 },
      ...(STREAMING.includes(name) || BACKGROUND.includes(name) ? [] : [slow]),
    ];
  });

const dataAlarms = (service: ServiceStack): Watched[] => [
  { id: 'table-throttles', what: 'The table is throttled', metric: tableThrottles(service), over: 0, of: [2, 3] },
];

const jobAlarms = ({ jobs: { queue, deadLetters } }: ServiceStack): Watched[] => [
  {
    id: 'jobs-waiting',
    what: 'A job has waited for more than an hour',
    metric: queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
    over: 3600,
  },
  {
    id: 'dead-letters',
    what: 'A job was given up',
    metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
    over: 0,
  },
];

/** The alarms. The description of each names the fault; docs/deploy.md lists causes and remedies. */
export class Alarms extends Construct {
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, service: ServiceStack, topic: ITopic) {
    super(scope, id);
    const watched = [...apiAlarms(service), ...functionAlarms(service), ...dataAlarms(service), ...jobAlarms(service)];
    this.all = watched.map(({ id: name, what, metric, over, of: [times, periods] = [1, 1] }) => {
      const alarm = new Alarm(this, name, {
        alarmDescription: what,
        metric,
        threshold: over,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        datapointsToAlarm: times,
        evaluationPeriods: periods,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      alarm.addAlarmAction(new SnsAction(topic));
      return alarm;
    });
  }
}
