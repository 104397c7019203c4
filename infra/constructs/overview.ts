import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  MathExpression,
  Row,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../../adapters/lambda-events/deployment.ts';
import { FUNCTIONS, type FunctionName } from '../bundles/functions.ts';
import type { ServiceStack } from '../stacks/service-stack.ts';
import type { Stage } from '../stage.ts';
import type { HostApi } from './host-api.ts';
import type { Probe } from './probe.ts';

export type OverviewProps = {
  readonly stage: Stage;
  readonly service: ServiceStack;
  /** The table in use. */
  readonly table: ITableV2;
  readonly probe: Probe;
  readonly alarms: readonly IAlarm[];
};

const period = Duration.minutes(5);

const graph = (title: string, left: IMetric[], right: IMetric[] = []): GraphWidget =>
  new GraphWidget({ title, left, right, width: 8, height: 6 });

/** A metric of the functions, for each existing combination of these dimensions in the stage. */
const each = (stage: Stage, dimensions: string, search: string, statistic: string): IMetric =>
  new MathExpression({
    expression: `SEARCH('{${METRICS_NAMESPACE},${dimensions}} ${search} stage="${stage.name}"', '${statistic}', 300)`,
    usingMetrics: {},
    label: '',
    period,
  });

const requests = (stage: Stage, { hosts }: ServiceStack): Row => {
  const perHost = (metric: (host: HostApi) => IMetric): IMetric[] => hosts.map(metric);
  return new Row(
    graph(
      'Requests, and those that failed',
      perHost(({ host, api }) => api.metricCount({ period, label: host, statistic: 'SampleCount' })),
      perHost(({ host, api }) => api.metricServerError({ period, label: `${host} failed`, statistic: 'Sum' })),
    ),
    graph(
      'Latency p50 and p99, ms',
      perHost(({ host, api }) => api.metricLatency({ period, statistic: 'p50', label: `${host} p50` })),
      perHost(({ host, api }) => api.metricLatency({ period, statistic: 'p99', label: `${host} p99` })),
    ),
    graph('Latency p99 by endpoint, ms', [
      each(stage, 'stage,function,endpoint,status_class', 'MetricName="latency" status_class="2xx"', 'p99'),
    ]),
  );
};

const functionsOf = (stage: Stage, { functions }: ServiceStack): Row => {
  const perFunction = (metric: (name: FunctionName) => IMetric): IMetric[] => FUNCTIONS.map(metric);
  return new Row(
    graph(
      'Functions: duration p99, ms',
      perFunction((name) => functions[name].function.metricDuration({ period, statistic: 'p99', label: name })),
    ),
    graph(
      'Functions: errors and throttles',
      perFunction((name) => functions[name].function.metricErrors({ period, label: `${name} errors` })),
      perFunction((name) => functions[name].function.metricThrottles({ period, label: `${name} throttles` })),
    ),
    graph('Cold starts', [each(stage, 'stage,function', 'MetricName="cold_start"', 'Sum')]),
  );
};

const stores = ({ service: { jobs }, table, probe }: OverviewProps): Row => {
  const used = { period, statistic: 'Sum' };
  return new Row(
    graph(
      'Table: units used',
      [table.metricConsumedReadCapacityUnits(used)],
      [table.metricConsumedWriteCapacityUnits(used)],
    ),
    graph(
      'Jobs: age of the oldest, s, and dead letters',
      [jobs.queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' })],
      [jobs.deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' })],
    ),
    graph('Probe: 1 is well, and ms', [probe.ok], [probe.ms]),
  );
};

/** A dashboard with the faults, the latency and the use of the service on one page. */
export const addOverview = (scope: Construct, props: OverviewProps): Dashboard => {
  const { stage, service, alarms } = props;
  return new Dashboard(scope, 'Overview', {
    dashboardName: `account-service-${stage.name}`,
    widgets: [
      [
        new AlarmStatusWidget({
          title: 'Alarms',
          alarms: [...alarms, ...(service.canary?.alarms ?? [])],
          width: 24,
        }),
      ],
      [requests(stage, service)],
      [functionsOf(stage, service)],
      [stores(props)],
    ],
  });
};
