import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Row,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { FUNCTIONS } from '../bundles/functions.ts';
import { DEPLOYED } from '../routes.ts';
import type { ServiceStack } from '../stacks/service-stack.ts';
import type { Stage } from '../stage.ts';
import type { Alarms } from './alarms.ts';

/** The namespace of the metrics that runtimes/lambda/telemetry.ts writes. */
const NAMESPACE = 'AccountService';

const period = Duration.minutes(5);

const graph = (title: string, left: IMetric[], right: IMetric[] = []): GraphWidget =>
  new GraphWidget({ title, left, right, width: 8, height: 6 });

/** The latency of each endpoint that has answered. */
const byEndpoint = (stage: Stage): IMetric =>
  new MathExpression({
    expression: `SEARCH('{${NAMESPACE},stage,function,endpoint,status_class} MetricName="latency" stage="${stage.name}" status_class="2xx"', 'p99', 300)`,
    usingMetrics: {},
    label: '',
    period,
  });

const coldStarts = (stage: Stage): IMetric =>
  new MathExpression({
    expression: `SEARCH('{${NAMESPACE},stage,function} MetricName="cold_start" stage="${stage.name}"', 'Sum', 300)`,
    usingMetrics: {},
    label: '',
    period,
  });

/** A dashboard that shows the faults, the speed and the use of the service on one page. */
export const addOverview = (
  scope: Construct,
  stage: Stage,
  { apis, functions, table, jobs }: ServiceStack,
  alarms: Alarms,
): Dashboard => {
  const perHost = (metric: (host: (typeof DEPLOYED)[number]) => IMetric) => DEPLOYED.map(metric);
  const perFunction = (metric: (name: (typeof FUNCTIONS)[number]) => IMetric) => FUNCTIONS.map(metric);
  const used = { period, statistic: 'Sum' };
  return new Dashboard(scope, 'Overview', {
    dashboardName: `account-service-${stage.name}`,
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms.all], width: 24 })],
      [
        new Row(
          graph(
            'Requests, and those that failed',
            perHost((host) => apis[host].api.metricCount({ period, label: host })),
            perHost((host) => apis[host].api.metricServerError({ period, label: `${host} failed` })),
          ),
          graph(
            'Latency p50 and p99, ms',
            perHost((host) => apis[host].api.metricLatency({ period, statistic: 'p50', label: `${host} p50` })),
            perHost((host) => apis[host].api.metricLatency({ period, statistic: 'p99', label: `${host} p99` })),
          ),
          graph('Latency p99 by endpoint, ms', [byEndpoint(stage)]),
        ),
      ],
      [
        new Row(
          graph(
            'Functions: duration p99, ms',
            perFunction((name) => functions[name].function.metricDuration({ period, statistic: 'p99', label: name })),
          ),
          graph(
            'Functions: errors and throttles',
            perFunction((name) => functions[name].function.metricErrors({ period, label: `${name} errors` })),
            perFunction((name) => functions[name].function.metricThrottles({ period, label: `${name} throttles` })),
          ),
          graph('Cold starts', [coldStarts(stage)]),
        ),
      ],
      [
        new Row(
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
        ),
      ],
    ],
  });
};
